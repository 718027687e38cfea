/** Finds Latin words in a Russian text that are no code, key, command or name. */

/** Texts that are spelt as in a config, an order, a command line or a protocol. */
const asWritten = new RegExp(
  [
    /`[^`]*`/,
    /"[^"]*"|'[^']*'/,
    /^ +fiscald .*$/, // a command on a line of its own
    /(?<![\w-])--?[a-z][\w-]*/, // keys of a command
    /(?:https?|smtps):\S+/,
    /(?:\/|\b[A-Z]:)[\w./\\-]+/, // a path
    /\b[\w-]+(?:[._/][\w[\]*-]+)+/, // a path, an address, a variable
    /\b[a-z]+[A-Z]\w*\b/, // a field
    /\b[A-Z][a-z]+(?:[A-Z][a-z]+)+\b/, // a line of a task table: OpenCheckSell
    /\b[A-F\d]{2,}h\b/, // a code of a register
    /\b\d\d\d\d-\d\d-\d\dT\d\d:\d\d\b|\d\d-\d\dT\d\d/, // a time
    /%\w\w|\\[ux]\w+|&\w+;/,
    /<[\w ]+>/, // a parameter, or the name of a value
  ]
    .map(({ source }) => source)
    .join("|"),
  "gm",
);

/** Names of programs, formats, protocols, keyboards and reports. */
const names = new Set(
  (
    "fiscald Windows Linux Debian Node SQLite systemd Excel English ComProxy ATOL Web Requests sudo SIGTERM SIGINT " +
    "JSON Schema XML JUnit HTML HTTP HTTPS DNS TCP TLS USB CSV QR UTF-8 UUID PNG JPEG EAN-13 Code39 base64 zip COM COM3 GS " +
    "NaN Enter Ctrl Ethernet Wi-Fi Bearer X Z C F A"
  ).split(" "),
);

/** `allowed`: words that are codes in this text. */
export function latinWords(text: string, allowed: Iterable<string> = []): readonly string[] {
  const known = new Set([...names, ...allowed]);
  const rest = text.replaceAll(asWritten, " ");
  return (rest.match(/[A-Za-z][\w-]*/g) ?? [])
    .map((word) => word.replace(/-+$/, ""))
    .filter((word) => !known.has(word));
}
