; fiscald for Windows: program below Program Files, config and data below ProgramData, a task that starts with the
; computer. /S installs without questions; the uninstaller keeps the data unless somebody says otherwise.
Unicode true
Target amd64-unicode
!include MUI2.nsh
!include LogicLib.nsh
!include StrFunc.nsh
!include WinMessages.nsh
!include WinVer.nsh
!include x64.nsh

Name "fiscald ${VERSION}"
OutFile "${TARGET}"
InstallDir "$PROGRAMFILES64\fiscald"
RequestExecutionLevel admin
; A file that cannot be written ends the setup, also without questions.
AllowSkipFiles off
SetCompressor /SOLID lzma
ManifestDPIAware true
VIProductVersion "${NUMBERS}"
VIAddVersionKey ProductName "fiscald"
VIAddVersionKey FileDescription "fiscald setup"
VIAddVersionKey FileVersion "${VERSION}"
VIAddVersionKey LegalCopyright "MIT License"

${Using:StrFunc} StrStr
${Using:StrFunc} UnStrRep

!define ENVIRONMENT_KEY "SYSTEM\CurrentControlSet\Control\Session Manager\Environment"
!define DATA_KEY "Software\fiscald"
!define UNINSTALL_KEY "Software\Microsoft\Windows\CurrentVersion\Uninstall\fiscald"

!define MUI_LANGDLL_WINDOWTITLE "fiscald"
!define MUI_LANGDLL_INFO "Язык установки / Language"
!define MUI_FINISHPAGE_RUN "$INSTDIR\fiscald-page.cmd"
!define MUI_FINISHPAGE_RUN_TEXT "$(OpenPage)"
!insertmacro MUI_PAGE_WELCOME
!insertmacro MUI_PAGE_INSTFILES
!insertmacro MUI_PAGE_FINISH
!insertmacro MUI_UNPAGE_CONFIRM
!insertmacro MUI_UNPAGE_INSTFILES
!insertmacro MUI_LANGUAGE "Russian"
!insertmacro MUI_LANGUAGE "English"

LangString OpenPage ${LANG_RUSSIAN} "Настроить кассу или открыть страницу оператора"
LangString OpenPage ${LANG_ENGLISH} "Set up the register, or open the operator's page"
LangString PageLink ${LANG_RUSSIAN} "Страница оператора"
LangString PageLink ${LANG_ENGLISH} "Operator's page"
LangString SupportLink ${LANG_RUSSIAN} "Файл для поддержки"
LangString SupportLink ${LANG_ENGLISH} "Support file"
LangString LogsLink ${LANG_RUSSIAN} "Журналы"
LangString LogsLink ${LANG_ENGLISH} "Logs"
LangString InUse ${LANG_RUSSIAN} "fiscald ещё работает. Закройте его окна и повторите."
LangString InUse ${LANG_ENGLISH} "fiscald still runs. Close its windows and try again."
LangString NoTask ${LANG_RUSSIAN} "Служба не установлена. Причина в файле $data\service.txt. После исправления выполните от имени администратора: fiscald service install"
LangString NoTask ${LANG_ENGLISH} "The service is not installed. The file $data\service.txt says why. Then run as administrator: fiscald service install"
LangString NoRights ${LANG_RUSSIAN} "Папку $data не удалось закрыть от других пользователей. В ней будут пароли: ограничьте доступ к ней."
LangString NoRights ${LANG_ENGLISH} "The folder $data could not be closed to other users. Passwords will be in it: restrict its access."
LangString NotReplaced ${LANG_RUSSIAN} "Файлы программы не удалось заменить. Перезагрузите компьютер и запустите установку ещё раз."
LangString NotReplaced ${LANG_ENGLISH} "The program's files could not be replaced. Restart the computer and start the setup again."
LangString NotOurs ${LANG_RUSSIAN} "Папку $data сделала не эта установка: в ней могут быть чужие настройки. Переименуйте папку и запустите установку ещё раз. Если настройки ваши, после установки верните в новую папку то, что было в старой."
LangString NotOurs ${LANG_ENGLISH} "The folder $data was not made by this setup: the config in it may be somebody else's. Rename the folder and start the setup again. If the config is yours, put what was in the old folder into the new one after the setup."
LangString KeepData ${LANG_RUSSIAN} "Удалить также настройки, базу данных и журналы? В них записано, какие чеки напечатаны."
LangString KeepData ${LANG_ENGLISH} "Delete the config, the database and the logs too? They say which receipts were printed."

Var data

Function .onInit
  ; Node does not start there: an update would end the service.
  ${IfNot} ${AtLeastWin10}
    MessageBox MB_OK|MB_ICONSTOP "fiscald: нужна Windows 10 или новее.$\n$\nfiscald needs Windows 10 or newer." /SD IDOK
    SetErrorLevel 6
    Quit
  ${EndIf}
  SetRegView 64
  SetShellVarContext all
  StrCpy $data "$APPDATA\fiscald"
  ; The uninstaller deletes the whole folder: it is always our own.
  StrCpy $INSTDIR "$PROGRAMFILES64\fiscald"
  !insertmacro MUI_LANGDLL_DISPLAY
FunctionEnd

; The version that was there is untouched until the new one is copied.
Function .onInstFailed
  RMDir /r "$INSTDIR\new"
FunctionEnd

Function un.onInit
  SetRegView 64
  SetShellVarContext all
  StrCpy $data "$APPDATA\fiscald"
  ; Not the folder that the uninstaller was copied to: all of it is deleted.
  StrCpy $INSTDIR "$PROGRAMFILES64\fiscald"
FunctionEnd

; Windows' programs are called by their whole path: a file of that name beside the setup is not meant.
; Ends the service, the one of an installation by hand too. A receipt that is cut off is safe: the next start asks the
; register. Windows lets nobody write to a program that runs: $R3 is empty then.
!macro EndProgram
  nsExec::Exec '"$SYSDIR\schtasks.exe" /Change /TN fiscald /DISABLE'
  Pop $R1
  nsExec::Exec '"$SYSDIR\schtasks.exe" /End /TN fiscald'
  Pop $R1
  ${For} $R0 1 20
    StrCpy $R3 "ended"
    ${If} ${FileExists} "$INSTDIR\node.exe"
      ClearErrors
      FileOpen $R3 "$INSTDIR\node.exe" a
      ${If} ${Errors}
        StrCpy $R3 ""
      ${Else}
        FileClose $R3
      ${EndIf}
    ${EndIf}
    ${If} $R3 != ""
      ${ExitFor}
    ${EndIf}
    Sleep 500
  ${Next}
!macroend

!macro StartTask
  nsExec::Exec '"$SYSDIR\schtasks.exe" /Change /TN fiscald /ENABLE'
  Pop $R1
  nsExec::Exec '"$SYSDIR\schtasks.exe" /Run /TN fiscald'
  Pop $R1
!macroend

; A virus scanner may hold a file for a moment: up to 20 seconds. What is at the new place then has been moved.
!macro Move from to
  ${For} $R2 1 40
    Rename "${from}" "${to}"
    ${If} ${FileExists} "${to}"
      ${ExitFor}
    ${EndIf}
    Sleep 500
  ${Next}
!macroend

; The earlier version goes to `old`, what is copied to its place. When something cannot be moved, all goes back.
Function Replace
  RMDir /r "$INSTDIR\old"
  CreateDirectory "$INSTDIR\old"
  FindFirst $R0 $R1 "$INSTDIR\new\*"
  ${DoUntil} $R1 == ""
    ${If} $R1 != "."
    ${AndIf} $R1 != ".."
      ${If} ${FileExists} "$INSTDIR\$R1"
        !insertmacro Move "$INSTDIR\$R1" "$INSTDIR\old\$R1"
      ${EndIf}
      ${IfNot} ${FileExists} "$INSTDIR\$R1"
        !insertmacro Move "$INSTDIR\new\$R1" "$INSTDIR\$R1"
      ${EndIf}
      ${If} ${FileExists} "$INSTDIR\new\$R1"
        FindClose $R0
        Call PutBack
        !insertmacro StartTask
        MessageBox MB_OK|MB_ICONSTOP "$(NotReplaced)" /SD IDOK
        SetErrorLevel 4
        Abort
      ${EndIf}
    ${EndIf}
    FindNext $R0 $R1
  ${Loop}
  FindClose $R0
  RMDir "$INSTDIR\new"
  RMDir /r "$INSTDIR\old"
FunctionEnd

Function PutBack
  FindFirst $R0 $R1 "$INSTDIR\old\*"
  ${DoUntil} $R1 == ""
    ${If} $R1 != "."
    ${AndIf} $R1 != ".."
      ${If} ${FileExists} "$INSTDIR\$R1"
        !insertmacro Move "$INSTDIR\$R1" "$INSTDIR\new\$R1"
      ${EndIf}
      !insertmacro Move "$INSTDIR\old\$R1" "$INSTDIR\$R1"
    ${EndIf}
    FindNext $R0 $R1
  ${Loop}
  FindClose $R0
  RMDir "$INSTDIR\old"
FunctionEnd

; Any user may make a folder here, with a config and a token of his own in it: what this setup has not made is not
; used. The key says that it has; only administrators write it, and it stays while the data stays.
Function MakeDataFolder
  ReadRegStr $R1 HKLM "${DATA_KEY}" "Data"
  ${If} $R1 == ""
    System::Call "kernel32::CreateDirectoryW(w '$data', p 0) i .R1"
    ${If} $R1 = 0
      MessageBox MB_OK|MB_ICONSTOP "$(NotOurs)" /SD IDOK
      SetErrorLevel 5
      Abort
    ${EndIf}
    WriteRegStr HKLM "${DATA_KEY}" "Data" "$data"
  ${EndIf}
  CreateDirectory "$data"
  ; The service's account (LocalService), administrators and the system; nobody else reads secrets.
  nsExec::ExecToLog '"$SYSDIR\icacls.exe" "$data" /inheritance:r /grant *S-1-5-32-544:(OI)(CI)F *S-1-5-18:(OI)(CI)F *S-1-5-19:(OI)(CI)M'
  Pop $R1
  ${If} $R1 != 0
    MessageBox MB_OK|MB_ICONEXCLAMATION "$(NoRights)" /SD IDOK
  ${EndIf}
FunctionEnd

; Up to a minute for the receipt in hand. A receipt that is cut off is safe too: the next start asks the register.
Function WaitForReceipt
  ${For} $R0 1 60
    nsExec::Exec '"$SYSDIR\cmd.exe" /d /c ""$INSTDIR\fiscald.cmd" jobs --state printing --json >"$PLUGINSDIR\jobs.txt" 2>&1 <NUL"'
    Pop $R1
    ; Exit code 1: a job is being printed.
    nsExec::Exec '"$INSTDIR\node.exe" -e "process.exit(/state\W+printing/.test(require(`fs`).readFileSync(process.argv[1],`utf8`))?1:0)" "$PLUGINSDIR\jobs.txt"'
    Pop $R1
    ${If} $R1 != 1
      ${ExitFor}
    ${EndIf}
    Sleep 1000
  ${Next}
FunctionEnd

; A PATH that is longer than a string of this program cannot be read, and stays as it is.
Function AddToPath
  ClearErrors
  ReadRegStr $R0 HKLM "${ENVIRONMENT_KEY}" "Path"
  ${If} ${Errors}
    Return
  ${EndIf}
  ${StrStr} $R1 "$R0;" "$INSTDIR\bin;"
  StrLen $R2 "$R0;$INSTDIR\bin"
  ${If} $R1 == ""
  ${AndIf} $R2 < 1000
    WriteRegExpandStr HKLM "${ENVIRONMENT_KEY}" "Path" "$R0;$INSTDIR\bin"
    SendMessage ${HWND_BROADCAST} ${WM_SETTINGCHANGE} 0 "STR:Environment" /TIMEOUT=5000
  ${EndIf}
FunctionEnd

Function un.RemoveFromPath
  ClearErrors
  ReadRegStr $R0 HKLM "${ENVIRONMENT_KEY}" "Path"
  ${If} ${Errors}
    Return
  ${EndIf}
  ${UnStrRep} $R1 "$R0" ";$INSTDIR\bin" ""
  ${If} $R1 != $R0
    WriteRegExpandStr HKLM "${ENVIRONMENT_KEY}" "Path" "$R1"
    SendMessage ${HWND_BROADCAST} ${WM_SETTINGCHANGE} 0 "STR:Environment" /TIMEOUT=5000
  ${EndIf}
FunctionEnd

; Their windows close after a key: no prompt with all rights stays on the till.
; Config, data and logs are closed to a user who is not asked for an administrator's rights: bit 13 of the link's flags.
!macro AdministratorsLink name program arguments
  CreateShortCut "$SMPROGRAMS\fiscald\${name}.lnk" "${program}" '${arguments}'
  FileOpen $R2 "$SMPROGRAMS\fiscald\${name}.lnk" a
  FileSeek $R2 21
  FileReadByte $R2 $R3
  IntOp $R3 $R3 | 0x20
  FileSeek $R2 21
  FileWriteByte $R2 $R3
  FileClose $R2
!macroend

Section
  Call MakeDataFolder
  RMDir /r "$INSTDIR\new"
  SetOutPath "$INSTDIR\new"
  File /r "${STAGED}/*"
  SetOutPath "$INSTDIR"
  ${If} ${FileExists} "$INSTDIR\node.exe"
    Call WaitForReceipt
  ${EndIf}
  !insertmacro EndProgram
  ${If} $R3 == ""
    !insertmacro StartTask
    MessageBox MB_OK|MB_ICONSTOP "$(InUse)" /SD IDOK
    SetErrorLevel 2
    Abort
  ${EndIf}
  Call Replace
  Call AddToPath

  ; Those of a setup in the other language have other names.
  RMDir /r "$SMPROGRAMS\fiscald"
  CreateDirectory "$SMPROGRAMS\fiscald"
  ; The folder in which they start: an open window of theirs does not hold the program's.
  SetOutPath "$SYSDIR"
  !insertmacro AdministratorsLink "$(PageLink)" "$INSTDIR\fiscald-page.cmd" ""
  !insertmacro AdministratorsLink "$(SupportLink)" "$SYSDIR\cmd.exe" \
    '/d /c ""$INSTDIR\fiscald.cmd" support-bundle --out "%PUBLIC%\Desktop\fiscald-support.zip" & pause"'
  !insertmacro AdministratorsLink "$(LogsLink)" "$SYSDIR\cmd.exe" '/d /c ""$INSTDIR\fiscald.cmd" logs & pause"'

  WriteUninstaller "$INSTDIR\uninstall.exe"
  WriteRegStr HKLM "${UNINSTALL_KEY}" "DisplayName" "fiscald"
  WriteRegStr HKLM "${UNINSTALL_KEY}" "DisplayVersion" "${VERSION}"
  WriteRegStr HKLM "${UNINSTALL_KEY}" "Publisher" "fiscald"
  WriteRegStr HKLM "${UNINSTALL_KEY}" "DisplayIcon" "$INSTDIR\uninstall.exe"
  WriteRegStr HKLM "${UNINSTALL_KEY}" "InstallLocation" "$INSTDIR"
  WriteRegDWORD HKLM "${UNINSTALL_KEY}" "EstimatedSize" ${KILOBYTES}
  WriteRegStr HKLM "${UNINSTALL_KEY}" "UninstallString" '"$INSTDIR\uninstall.exe"'
  WriteRegStr HKLM "${UNINSTALL_KEY}" "QuietUninstallString" '"$INSTDIR\uninstall.exe" /S'
  WriteRegDWORD HKLM "${UNINSTALL_KEY}" "NoModify" 1
  WriteRegDWORD HKLM "${UNINSTALL_KEY}" "NoRepair" 1

  ${If} ${FileExists} "$data\config.json"
    nsExec::ExecToLog '"$SYSDIR\cmd.exe" /d /c ""$INSTDIR\fiscald.cmd" service install >"$data\service.txt" 2>&1 <NUL"'
    Pop $R1
    ${If} $R1 != 0
      MessageBox MB_OK|MB_ICONEXCLAMATION "$(NoTask)" /SD IDOK
      SetErrorLevel 3
    ${EndIf}
  ${EndIf}
  ; One with a config of another place, or one that could not be made anew.
  !insertmacro StartTask
SectionEnd

Section "Uninstall"
  !insertmacro EndProgram
  ${If} $R3 == ""
    !insertmacro StartTask
    MessageBox MB_OK|MB_ICONSTOP "$(InUse)" /SD IDOK
    SetErrorLevel 2
    Abort
  ${EndIf}
  nsExec::Exec '"$SYSDIR\schtasks.exe" /Delete /TN fiscald /F'
  Pop $R1
  Call un.RemoveFromPath
  RMDir /r "$INSTDIR"
  RMDir /r "$SMPROGRAMS\fiscald"
  DeleteRegKey HKLM "${UNINSTALL_KEY}"
  MessageBox MB_YESNO|MB_DEFBUTTON2 "$(KeepData)" /SD IDNO IDNO keep
  RMDir /r "$data"
  DeleteRegKey HKLM "${DATA_KEY}"
  keep:
SectionEnd
