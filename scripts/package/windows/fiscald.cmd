@echo off
setlocal
rem No program of the current folder is meant.
set NoDefaultCurrentDirectoryInExePath=1
rem Texts are UTF-8.
"%SystemRoot%\System32\chcp.com" 65001 >nul
if not defined FISCALD_CONFIG set "FISCALD_CONFIG=%ProgramData%\fiscald\config.json"
"%~dp0node.exe" "%~dp0app\node_modules\@fiscald\daemon\bin\fiscald.js" %*
