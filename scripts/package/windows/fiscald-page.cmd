@echo off
rem The operator's page. Before there is a config: the set-up page, then the service.
set "config=%ProgramData%\fiscald\config.json"
if defined FISCALD_CONFIG set "config=%FISCALD_CONFIG%"
if exist "%config%" goto service
call "%~dp0fiscald.cmd" console --lang ru
if errorlevel 1 goto stop
:service
"%SystemRoot%\System32\schtasks.exe" /Query /TN fiscald >nul 2>&1
if not errorlevel 1 goto page
call "%~dp0fiscald.cmd" service install
if errorlevel 1 goto stop
:page
rem The service may have been started a moment ago.
set tries=0
:again
call "%~dp0fiscald.cmd" console 2>nul
if not errorlevel 1 goto stop
set /a tries+=1
"%SystemRoot%\System32\ping.exe" -n 3 127.0.0.1 >nul
if %tries% lss 10 goto again
call "%~dp0fiscald.cmd" console
:stop
pause
