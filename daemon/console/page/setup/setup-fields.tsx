import { useId } from "preact/hooks";
import { Sentence } from "../text.js";

interface FieldProps {
  readonly label: string;
  readonly value: string;
  readonly type?: "text" | "url" | "time" | "password" | "number";
  readonly isRequired?: boolean;
  readonly placeholder?: string;
  onChange(value: string): void;
}

export function Field({ label, value, type = "text", isRequired = false, placeholder = "", onChange }: FieldProps) {
  const id = useId();
  return (
    <label htmlFor={id}>
      <span>
        <Sentence text={label} />
      </span>
      <Input {...{ id, value, type, isRequired, placeholder, onChange }} />
    </label>
  );
}

interface InputProps extends Omit<Required<FieldProps>, "label"> {
  readonly id: string;
}

function Input({ id, value, type, isRequired, placeholder, onChange }: InputProps) {
  const common = {
    ...{ id, value, placeholder },
    required: isRequired,
    onInput: (event: { readonly currentTarget: HTMLInputElement }) => onChange(event.currentTarget.value),
  };
  switch (type) {
    case "password":
      return <input type="password" autoComplete="off" {...common} />;
    case "time":
      return <input type="time" {...common} />;
    case "number":
      return <input type="text" autoComplete="off" {...common} inputMode="numeric" pattern="[0-9]*" />;
    case "url":
    case "text":
      return <input type="text" autoComplete="off" {...common} inputMode={type} />;
  }
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
