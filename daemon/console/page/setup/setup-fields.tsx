import { Sentence } from "../text.js";

interface FieldProps {
  readonly label: string;
  readonly value: string;
  readonly type?: keyof typeof attributes;
  readonly isRequired?: boolean;
  readonly placeholder?: string;
  onChange(value: string): void;
}

const attributes = {
  text: { type: "text", autoComplete: "off", inputMode: "text" },
  url: { type: "text", autoComplete: "off", inputMode: "url" },
  number: { type: "text", autoComplete: "off", inputMode: "numeric", pattern: "[0-9]*" },
  time: { type: "time" },
  password: { type: "password", autoComplete: "off" },
} as const;

export function Field({ label, value, type = "text", isRequired = false, placeholder = "", onChange }: FieldProps) {
  return (
    <label>
      <span>
        <Sentence text={label} />
      </span>
      <input
        {...{ ...attributes[type], value, placeholder, required: isRequired }}
        onInput={(event) => onChange(event.currentTarget.value)}
      />
    </label>
  );
}

interface SelectProps {
  readonly label: string;
  readonly value: string;
  readonly choices: readonly (readonly [value: string, text: string])[];
  readonly isRequired?: boolean;
  onChange(value: string): void;
}

export function Select({ label, value, choices, isRequired = false, onChange }: SelectProps) {
  return (
    <label>
      {label}
      <select value={value} required={isRequired} onChange={(event) => onChange(event.currentTarget.value)}>
        {choices.map(([choice, text]) => (
          <option key={choice} value={choice}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}
