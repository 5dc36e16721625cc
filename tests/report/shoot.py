#!/usr/bin/env python3
"""Pictures of a report for people to look at: shoot.py REPORT.html FOLDER writes them light and dark, 1280 and 1920 wide."""
import os
import sys

from chromium import Browser

with Browser() as page:
    for width, dark in ((1280, False), (1280, True), (1920, False), (1920, True)):
        page.open(sys.argv[1], width, 1000, dark)
        height = page.evaluate("document.documentElement.scrollHeight")
        page.call("Emulation.setDeviceMetricsOverride", width=width, height=min(height, 4000), deviceScaleFactor=1, mobile=False)
        page.settle()
        name = os.path.splitext(os.path.basename(sys.argv[1]))[0] + f"_{width}_{'dark' if dark else 'light'}.png"
        page.screenshot(os.path.join(sys.argv[2], name), whole=False)
    for error in page.errors:
        print(error)
