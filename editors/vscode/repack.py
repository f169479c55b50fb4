#!/usr/bin/env python3
"""Packs a zip archive again as small as deflate makes it, entry by entry as they were: vsce gives its packages less time.

    editors/vscode/repack.py PACKAGE
"""

import os
import sys
import zipfile

package = sys.argv[1]
smaller = package + ".new"
with zipfile.ZipFile(package) as before, zipfile.ZipFile(smaller, "w") as after:
    for entry in before.infolist():
        after.writestr(entry, before.read(entry), zipfile.ZIP_DEFLATED, 9)
os.replace(smaller, package)
