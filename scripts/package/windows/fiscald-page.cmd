@echo off
rem The operator's page; before there is a config, the set-up page.
if exist "%ProgramData%\fiscald\config.json" goto page
call "%~dp0fiscald.cmd" console --lang ru
if errorlevel 1 goto stop
call "%~dp0fiscald.cmd" service install
if errorlevel 1 goto stop
:page
call "%~dp0fiscald.cmd" console
:stop
pause
