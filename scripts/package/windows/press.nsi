; For the pictures of the guide: presses the default button of the dialog that is open. With an argument it only looks.
; Exit code 0: done; 1: no dialog; 2: its button does not work yet.
Unicode true
Target amd64-unicode
!include FileFunc.nsh
!include LogicLib.nsh
OutFile "${TARGET}"
SilentInstall silent
RequestExecutionLevel user

Section
  FindWindow $0 "#32770"
  ${If} $0 = 0
    SetErrorLevel 1
    Abort
  ${EndIf}
  GetDlgItem $1 $0 1
  System::Call "user32::IsWindowEnabled(p r1) i .r2"
  ${If} $2 = 0
    SetErrorLevel 2
    Abort
  ${EndIf}
  ${GetParameters} $3
  ${If} $3 == ""
    SendMessage $0 0x0111 1 $1 /TIMEOUT=2000
  ${EndIf}
SectionEnd
