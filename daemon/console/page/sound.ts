/** The sound of the top light: off until a person switches it on, in this browser. */

const KEPT_AS = "fiscald-sound";
const TONES = [
  { hertz: 880, after: 0 },
  { hertz: 660, after: 0.25 },
] as const;
const SECONDS = 0.2;
const LOUDNESS = 0.3;

let context: AudioContext | null = null;

export function keptSound(): boolean {
  return localStorage.getItem(KEPT_AS) === "on";
}

export function keepSound(isOn: boolean): void {
  localStorage.setItem(KEPT_AS, isOn ? "on" : "off");
}

/** Two short tones. A browser plays nothing before the first click on the page. */
export function ring(): void {
  context ??= new AudioContext();
  const { currentTime, destination } = context;
  void context.resume();
  for (const { hertz, after } of TONES) {
    const tone = context.createOscillator();
    const volume = context.createGain();
    const start = currentTime + after;
    tone.frequency.value = hertz;
    volume.gain.setValueAtTime(LOUDNESS, start);
    // Cut off at once, a tone would click.
    volume.gain.exponentialRampToValueAtTime(0.001, start + SECONDS);
    tone.connect(volume).connect(destination);
    tone.start(start);
    tone.stop(start + SECONDS);
  }
}
