"""What all tests of the Python module share. `--part=SHARE --seed=S` tries a share of the cases, drawn by the seed."""

import random

import numpy as np
import pytest


def pytest_addoption(parser):
    parser.addoption("--part", type=float, default=1.0, metavar="SHARE", help="of all cases, from 0 to 1")
    parser.addoption("--seed", type=int, default=1, help="which cases a part has")


def pytest_terminal_summary(terminalreporter, config):
    share, seed = config.getoption("part"), config.getoption("seed")
    if share < 1:
        terminalreporter.line(f"{100 * share:g} % of the cases: --part={share:g} --seed={seed}")


def pytest_collection_modifyitems(config, items):
    drawn = random.Random(config.getoption("seed"))
    left = [drawn.random() >= config.getoption("part") for _ in items]
    config.hook.pytest_deselected(items=[item for item, out in zip(items, left) if out])
    items[:] = [item for item, out in zip(items, left) if not out]


@pytest.fixture
def rng():
    return np.random.default_rng(1)
