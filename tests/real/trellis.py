"""Runs programs with `trellis` and collects what went wrong."""
import glob
import os
import subprocess
import tempfile
import time

failures = []
passed = 0


def verdict(what, problem, seconds):
    """Prints a line for one comparison; `problem` is empty where it passed."""
    global passed
    if problem:
        failures.append(what)
    else:
        passed += 1
    print(f"{'FAILED' if problem else 'ok':7}{seconds:7.1f} s  {what}" + (f"\n{problem}" if problem else ""), flush=True)


class Folder(tempfile.TemporaryDirectory):
    """A folder for a program, its operands and its results."""

    def __init__(self, trellis):
        super().__init__(prefix="trellis-real-")
        self.trellis = os.path.abspath(trellis)

    def __enter__(self):
        return self

    def path(self, name):
        return os.path.join(self.name, name)

    def run(self, program, timeout=600):
        """Runs the text of a program; returns what it said and the seconds it took. An error is an exception."""
        path = self.path("program.tr")
        with open(path, "w") as file:
            file.write(program)
        start = time.time()
        done = subprocess.run([self.trellis, path, "--backend", "native", "--timeout", str(timeout)], capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(f"exit code {done.returncode}\n{done.stderr}{done.stdout}\n{program}")
        return done.stdout, time.time() - start


def find(data, kind, name):
    """The path of the file NAME.* (possibly packed) in the folder `kind` of real data."""
    found = glob.glob(os.path.join(os.path.abspath(data), kind, name + ".*"))
    if not found:
        raise SystemExit(f"there is no {kind}/{name} in {data}")
    return found[0]


def finish():
    print(f"{passed} passed, {len(failures)} failed")
    return 1 if failures or not passed else 0
