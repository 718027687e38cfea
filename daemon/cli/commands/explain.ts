import { z } from "zod";
import type { Config } from "../../config/config-schema.js";
import { jobsLike, jobsNamed, jobsOfDocument } from "../../console/find-orders.js";
import { type JobStory, jobStory, type UnreadOrderStory, unreadOrderStory } from "../../console/job-story.js";
import { whyJob, whyOrder } from "../../console/troubles/find-troubles.js";
import { type Titles, titleOf, titlesIn } from "../../console/troubles/found.js";
import { recordedFacts } from "../../console/troubles/gather-facts.js";
import { localTime, timeForPeople } from "../../logging/line-format.js";
import { type Language, type Messages, messagesIn } from "../../messages/messages.js";
import { jobKind } from "../../messages/rows.js";
import type { Job } from "../../store/job.js";
import type { JobStore } from "../../store/job-store.js";
import { daemonConfig, type ExitCode, exitCodes, printJson, type Session } from "../cli-context.js";
import { type StoredState, withStoredState } from "../stored-state.js";
import { askDaemon, causeLines, type ShownTrouble, shownTrouble } from "../terminal/causes.js";
import { formatState } from "../terminal/output.js";

type Story = JobStory & { readonly why: readonly ShownTrouble[] };

const maxJobs = 100;
const whyAnswer = z.object({ why: z.array(shownTrouble) });

/** `order` is an order's id, a job's number, or the number or the fiscal sign of a document. */
export async function explainOrder(session: Session): Promise<ExitCode> {
  const { context, options, language } = session;
  const config = daemonConfig(session);
  const [order = ""] = session.args;
  const { unread, stories } = withStoredState(config, (stored) => ({
    unread: unreadOrderStory(order, stored),
    stories: jobsOf(order, stored.jobs).map((job) => jobStory(job, stored)),
  }));
  const jobs: Story[] = [];
  for (const story of stories) {
    const { id } = story.job;
    const why = await whyOf(config, `/api/jobs/${id}`, (stored, facts) => whyJob(stored.jobs.get(id), facts));
    jobs.push({ ...story, why });
  }
  const path = `/api/jobs?order=${encodeURIComponent(order)}`;
  const why = jobs.length > 0 ? [] : await whyOf(config, path, (stored, facts) => whyOrder(order, stored, facts));
  const isKnown = jobs.length > 0 || unread !== null;
  if (options.json) printJson(context, { order, unread, why, jobs });
  else {
    const writer = new StoryWriter(language, titlesIn(config.registers));
    const found = jobs[0]?.job.order ?? order;
    const texts = [
      ...(found === order ? [] : [writer.found(found)]),
      ...(isKnown ? [] : [writer.unknown(order, why)]),
      ...(unread === null ? [] : [writer.unread(order, unread, why)]),
      ...jobs.map((story) => writer.job(story)),
    ];
    for (const text of texts) context.out(`${text}\n`);
  }
  return isKnown ? exitCodes.done : exitCodes.failed;
}

async function whyOf(
  config: Config,
  path: string,
  onRecord: (stored: StoredState, facts: ReturnType<typeof recordedFacts>) => readonly ShownTrouble[],
): Promise<readonly ShownTrouble[]> {
  const { live, closed } = await askDaemon(config, (client) => client.get(path, whyAnswer));
  if (closed !== null) throw closed;
  return live?.why ?? withStoredState(config, (stored) => onRecord(stored, recordedFacts(config, stored, Date.now())));
}

function jobsOf(order: string, jobs: JobStore): readonly Job[] {
  const named = jobsNamed(order, jobs, maxJobs);
  const numbered = named.length > 0 ? named : jobsNamed(`#${order}`, jobs, maxJobs);
  const found = numbered.length > 0 ? numbered : jobsOfDocument(order, jobs, { limit: maxJobs });
  if (found.length > 0) return found.toReversed();
  const [newest] = jobsLike(order, jobs, 1);
  return newest?.orderId == null ? [] : jobsNamed(newest.orderId, jobs, maxJobs).toReversed();
}

interface TimedLine {
  /** ISO 8601, so that entries can be sorted as text. */
  readonly at: string;
  readonly text: string;
}

class StoryWriter {
  private readonly messages: Messages;

  constructor(
    private readonly language: Language,
    private readonly titles: Titles,
  ) {
    this.messages = messagesIn(language);
  }

  job(story: Story): string {
    const answers = story.order === null ? [] : [story.order];
    return [
      ...this.head(story),
      ...this.causes(story.why),
      ...this.history(answers, story.journal),
      ...this.deliveries(story),
    ].join("\n");
  }

  /** These answers of the site did not become a job, and the site was told why. */
  unread(order: string, { answers, journal, events }: UnreadOrderStory, why: readonly ShownTrouble[]): string {
    const first = this.messages.explain.unread({ order });
    return [first, ...this.causes(why), ...this.history(answers, journal), ...this.deliveries({ events })].join("\n");
  }

  found(order: string): string {
    return this.messages.explain.found({ order });
  }

  unknown(order: string, why: readonly ShownTrouble[]): string {
    const { explain, page } = this.messages;
    return [explain.unknown({ order }), ...(why.length === 0 ? [] : [page.mayBeWhy]), ...this.causes(why)].join("\n");
  }

  private causes(why: readonly ShownTrouble[]): readonly string[] {
    return why.flatMap((cause) => causeLines(cause, this.language));
  }

  private head({ job, taxes }: JobStory): readonly string[] {
    const { explain, page, commands } = this.messages;
    const { id, document, state, total, what, register } = job;
    const name = titleOf(register, this.titles);
    const first = explain.job({
      job: id,
      state: formatState(state, this.language),
      what: jobKind(what, page),
    });
    return [
      [first, total === null ? "" : commands.sum({ roubles: total }), explain.register({ register: name })].join("  "),
      ...(document === null ? [] : [`  ${explain.document(document)}`]),
      ...taxes.map((tax) => `  ${explain.tax(tax)}`),
    ];
  }

  private history(answers: UnreadOrderStory["answers"], journal: UnreadOrderStory["journal"]): readonly string[] {
    const { polledFor } = this.messages.explain;
    const polled = answers.map(
      ({ receivedAt, polledKkm }): TimedLine => ({ at: receivedAt, text: polledFor({ kkm: polledKkm }) }),
    );
    // The sort is stable, so entries of the same millisecond stay in their recorded order.
    return [...polled, ...journal.map((entry) => this.entry(entry))]
      .toSorted((one, other) => one.at.localeCompare(other.at))
      .map(({ at, text }) => `  ${this.time(at)}  ${text}`);
  }

  private entry({ at, actor, what, register, details, detail }: JobStory["journal"][number]): TimedLine {
    const { journal, explain } = this.messages;
    const known: Readonly<Record<string, string>> = journal;
    const words = Object.hasOwn(known, what) ? known[what] : what;
    // `details` has codes and English, so a Russian reader gets the sentence that the order's page shows for the entry.
    const inEnglish = JSON.stringify(details) === "{}" ? "" : JSON.stringify(details);
    const facts = this.language === "en" ? inEnglish : detail.ru;
    const where = register === null ? "" : ` (${titleOf(register, this.titles)})`;
    const said = `${actor === "operator" ? `${explain.operator}: ` : ""}${words}${where}`;
    return { at, text: facts === "" ? said : `${said}  ${facts}` };
  }

  /** In English the time has the log's format, so that it can be compared with the log. */
  private time(isoTime: string): string {
    const at = Date.parse(isoTime);
    return this.language === "en" ? localTime(at) : timeForPeople(at).ru;
  }

  private deliveries({ events }: Pick<JobStory, "events">): readonly string[] {
    const { explain, page } = this.messages;
    return events.map(({ id, kind, site, state, tries, deliveredAt, lastError }) => {
      const done = { state: this.language === "en" ? state : page.deliveryStates[state], tries };
      const told =
        deliveredAt === null ? explain.tries(done) : explain.triedAt({ ...done, at: this.time(deliveredAt) });
      const error = lastError === null ? "" : ` (${explain.beforeThat({ text: lastError })})`;
      const event = explain.event({ event: id, kind: this.language === "en" ? kind : page.eventKinds[kind], site });
      return `  ${event}: ${told}${error}`;
    });
  }
}
