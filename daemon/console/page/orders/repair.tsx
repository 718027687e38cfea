/** The daemon says which documents are needed. The person says what happened, when, who decided it, what is right. */
import { useContext, useEffect, useRef, useState } from "preact/hooks";
import { mayAct } from "../../access/roles.js";
import type { RepairForm, RepairPreview } from "../../repairs/repair-view.js";
import { act, isRefused, useView } from "../api.js";
import { Rights, useModal } from "../confirm.js";
import { language, notDone, words } from "../words.js";
import {
  type EditorProps,
  isOtherOnPaper,
  LinesEditor,
  NO_SITE,
  onlySite,
  type Said,
  saidOf,
  toRequest,
} from "./repair-fields.js";

interface RepairProps {
  /** Null: the daemon knows nothing of the settlement. */
  readonly job: number | null;
  readonly name: string;
}

/** A role that may not put receipts right sees no button. */
export function RepairButton({ job, name }: RepairProps) {
  const { isLive, role } = useContext(Rights);
  const [isOpen, setOpen] = useState(false);
  if (!mayAct(role, "/api/repairs")) return null;
  return (
    <>
      <button type="button" disabled={!isLive} onClick={() => setOpen(true)}>
        {name}
      </button>
      {isOpen ? <RepairDialog {...{ job, name }} onEnd={() => setOpen(false)} /> : null}
    </>
  );
}

function RepairDialog({ job, name, onEnd }: RepairProps & { onEnd(): void }) {
  const dialog = useModal();
  const [isUnread, setUnread] = useState(false);
  const path = `/api/repairs/form${job === null ? "" : `?job=${job}`}`;
  const form = useView<RepairForm>(path, 0, () => setUnread(true));
  // The button below disappears when the form appears, and would take the focus away.
  useEffect(() => dialog.current?.focus(), []);
  return (
    <dialog ref={dialog} class="repair" tabIndex={-1} onCancel={onEnd} aria-label={name}>
      <h2>{name}</h2>
      {form === null ? (
        <>
          <p role="status">{isUnread ? words.repair.unread : words.connection.loading}</p>
          <p class="pages">
            <button type="button" onClick={onEnd}>
              {words.repair.close}
            </button>
          </p>
        </>
      ) : (
        <Case {...{ job, form, onEnd }} />
      )}
    </dialog>
  );
}

function Case({ job, form, onEnd }: Omit<RepairProps, "name"> & { readonly form: RepairForm; onEnd(): void }) {
  const [said, setSaid] = useState<Said>(() => saidOf(form));
  const [preview, setPreview] = useState<RepairPreview | null>(null);
  const [trouble, setTrouble] = useState("");
  const [isActing, setActing] = useState(false);
  const { repair } = words;
  const newest = useRef(said);
  newest.current = said;
  // What is printed must have been shown, so each change removes the shown documents, even documents on their way.
  const change = (part: Partial<Said>) => {
    setSaid({ ...said, ...part });
    setPreview(null);
  };
  async function send(path: string): Promise<void> {
    setActing(true);
    setTrouble(words.acting);
    const answer = await act(path, { ...toRequest(said, form, job), reason: said.reason });
    setActing(false);
    setTrouble(isRefused(answer) ? notDone(answer.refusal) : "");
    if (isRefused(answer)) return;
    if (answer.preview !== undefined && newest.current === said) setPreview(answer.preview);
    if (answer.job !== undefined) {
      onEnd();
      location.hash = `#order/${answer.job.id}`;
    }
  }
  return (
    <form
      method="dialog"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isActing) void send(preview === null ? "/api/repairs/preview" : "/api/repairs");
      }}
    >
      {form.cases.length < 2 ? null : (
        <fieldset>
          <legend>{repair.what}</legend>
          {form.cases.map((one) => (
            <label key={one} class="check">
              <input
                type="radio"
                name="case"
                required
                checked={said.case === one}
                onChange={() => change({ case: one })}
              />
              {repair.cases[one]}
            </label>
          ))}
        </fieldset>
      )}
      {job === null ? <Missed {...{ said, form, change }} /> : null}
      {job !== null && said.case === "twice" ? <p class="names">{repair.ofOtherProgram}</p> : null}
      {form.altered === null ? null : <p class="state red">{form.altered[language]}</p>}
      {said.case === "test" ? null : (
        <label>
          {repair.date}
          {form.printedOn === null
            ? ""
            : ` (${repair.printedOn({ day: form.printedOn.split("-").reverse().join(".") })})`}
          <input type="date" value={said.date} onInput={(event) => change({ date: event.currentTarget.value })} />
        </label>
      )}
      {said.case === "test" ? null : (
        <label>
          {repair.instruction}
          <input
            maxLength={32}
            value={said.instruction}
            onInput={(event) => change({ instruction: event.currentTarget.value })}
          />
        </label>
      )}
      {job === null || said.case === "wrong" || said.case === "missed" ? (
        <LinesEditor {...{ said, form, change }} />
      ) : null}
      {said.case === "wrong" && isOtherOnPaper(said, form) ? (
        <p class="state red" role="alert">
          {repair.otherOnPaper}
        </p>
      ) : null}
      <label>
        {repair.reason}
        <input
          required
          maxLength={500}
          value={said.reason}
          onInput={(event) => change({ reason: event.currentTarget.value })}
        />
      </label>
      {preview === null ? null : <Documents preview={preview} />}
      <p role="status">{trouble}</p>
      <p class="pages">
        <button type="submit" aria-disabled={isActing}>
          {preview === null ? repair.show : preview.documents.length > 1 ? repair.printFirst : repair.print}
        </button>
        <button type="button" onClick={onEnd}>
          {repair.close}
        </button>
      </p>
    </form>
  );
}

function Missed({ said, form, change }: EditorProps) {
  const { repair } = words;
  const { missed } = said;
  const set = (part: Partial<Said["missed"]>) => change({ missed: { ...missed, ...part } });
  const sites = form.registers.find(({ id }) => id === missed.register)?.sites ?? [];
  return (
    <>
      <label>
        {repair.register}
        <select
          required
          value={missed.register}
          onChange={({ currentTarget: { value } }) => set({ register: value, site: onlySite(form.registers, value) })}
        >
          <option value="" />
          {form.registers.map(({ id, title }) => (
            <option key={id} value={id}>
              {title}
            </option>
          ))}
        </select>
      </label>
      {said.case === "twice" ? null : (
        <label>
          {repair.site}
          <select required value={missed.site} onChange={(event) => set({ site: event.currentTarget.value })}>
            <option value="" disabled />
            <option value={NO_SITE}>{repair.noSite}</option>
            {sites.map((site) => (
              <option key={site} value={site}>
                {site}
              </option>
            ))}
          </select>
        </label>
      )}
      {([...(said.case === "twice" ? (["sign"] as const) : []), "order", "contact", "internet"] as const).map(
        (field) => (
          <label key={field}>
            {repair[field]}
            <input
              required={field === "order" || field === "sign"}
              value={missed[field]}
              onInput={(event) => set({ [field]: event.currentTarget.value })}
            />
          </label>
        ),
      )}
    </>
  );
}

function Documents({ preview }: { readonly preview: RepairPreview }) {
  const shown = useRef<HTMLElement>(null);
  // Without scrolling, the documents would be out of sight below the questions.
  useEffect(() => shown.current?.scrollIntoView(), []);
  return (
    <section ref={shown} aria-label={words.receipt}>
      <p>
        <strong>{preview.about[language]}</strong>
      </p>
      <div class="papers">
        {preview.documents.map(({ title, paper, lacks }, index) => (
          <figure key={title.en}>
            <figcaption>
              {preview.documents.length > 1 ? `${index + 1}. ` : ""}
              {title[language]}
            </figcaption>
            <img class="paper" src={paper} alt={title[language]} />
            {lacks === null ? null : <p>{lacks[language]}</p>}
          </figure>
        ))}
      </div>
      {preview.documents.length > 1 ? <p>{words.repair.secondWaits}</p> : null}
      {preview.share === null ? null : <p class="names">{preview.share[language]}</p>}
    </section>
  );
}
