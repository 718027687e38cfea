/** Input fields of the set-up page, one for each question. */
import { useId } from "preact/hooks";

interface FieldProps {
  readonly label: string;
  readonly value: string;
  readonly type?: "text" | "url" | "time" | "password" | "number";
  readonly isRequired?: boolean;
  /** Proposed while the person types; other values may be typed. */
  readonly proposals?: readonly string[];
  onChange(value: string): void;
}

export function Field({ label, value, type = "text", isRequired = false, proposals = [], onChange }: FieldProps) {
  const id = useId();
  return (
    <label htmlFor={id}>
      {label}
      <Input {...{ id, value, type, isRequired, proposals, onChange }} />
      {proposals.length === 0 ? null : (
        <datalist id={`${id}-proposals`}>
          {proposals.map((proposal) => (
            <option key={proposal} value={proposal} />
          ))}
        </datalist>
      )}
    </label>
  );
}

interface InputProps extends Omit<Required<FieldProps>, "label"> {
  readonly id: string;
}

function Input({ id, value, type, isRequired, proposals, onChange }: InputProps) {
  const common = {
    ...{ id, value },
    required: isRequired,
    ...(proposals.length === 0 ? {} : { list: `${id}-proposals` }),
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
  onChange(value: string): void;
}

export function Select({ label, value, choices, onChange }: SelectProps) {
  return (
    <label>
      {label}
      <select value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        {choices.map(([choice, text]) => (
          <option key={choice} value={choice}>
            {text}
          </option>
        ))}
      </select>
    </label>
  );
}
