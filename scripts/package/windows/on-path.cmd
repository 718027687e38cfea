@rem This folder is on the PATH, so that node.exe is not.
@"%~dp0..\fiscald.cmd" %*
