/** A site whose answers, outages and losses a case decides, and that records what it was told. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { z } from "zod";
import { serveSite } from "../../../support/fake-daemon.js";
import type { ReportedResult } from "../judging/verdict.js";
import type { CampaignOrder } from "../plan/orders.js";

export type Body = Readonly<Record<string, unknown>>;

export interface ZReportCall {
  /** The same for all repeats of one event. */
  readonly id: string;
  readonly body: Body;
}

export interface CampaignSite {
  readonly url: string;
  outage: "error" | "cut" | "hang" | null;
  /** How many of the next polls are received and lose their answers. */
  losesAnswers: number;
  /** Numbers of the registers for which the site was polled. */
  readonly polledKkms: ReadonlySet<string>;
  readonly zReports: readonly ZReportCall[];
  /** True: the site was told that an answer with this order, or the order itself, could not be read. */
  isUnreadable(orderId: string): boolean;
  readonly resultCount: number;
  /** Results of an order, oldest first; the operation distinguishes sale and return of one order. */
  resultsOf(order: Pick<CampaignOrder, "orderId" | "operation">): readonly ReportedResult[];
  resultsOfJob(orderId: string): readonly ReportedResult[];
  close(): Promise<void>;
}

/** Answers a call as a site does. `body`: the received body. */
export type Answering = (request: IncomingMessage, response: ServerResponse, body: Body) => void;

const bodySchema = z.record(z.string(), z.unknown());

export async function startCampaignSite(
  answer: Answering,
  onResult: (result: Body, messageId: string) => void = () => {},
  onUnreadable: () => void = () => {},
): Promise<CampaignSite> {
  const results: Body[] = [];
  const zReports: ZReportCall[] = [];
  const errorReports: Body[] = [];
  const polledKkms = new Set<string>();

  const served = await serveSite(async (request, response) => {
    const body = bodySchema.parse(JSON.parse(await readText(request)));
    if (site.outage === "hang") return;
    if (site.outage === "cut") return void request.socket.destroy();
    if (site.outage === "error") return void response.writeHead(503).end();
    if (body["action"] === "orderConfirm") {
      results.push(body);
      onResult(body, messageIdOf(request));
    }
    if (body["action"] === "error") {
      errorReports.push(body);
      onUnreadable();
    }
    if (body["action"] === "order") polledKkms.add(String(body["kkm"]));
    if (body["action"] === "ZReport") zReports.push({ id: messageIdOf(request), body });
    if (body["action"] === "order" && site.losesAnswers > 0) {
      site.losesAnswers -= 1;
      // The site believes that it has answered.
      response.end = () => {
        request.socket.destroy();
        return response;
      };
    }
    answer(request, response, body);
  });

  const site: CampaignSite = {
    url: `${served.url}/fiscal`,
    outage: null,
    losesAnswers: 0,
    polledKkms,
    zReports,
    isUnreadable: (orderId) =>
      errorReports.some((report) => report["orderId"] === orderId || nameOrder(String(report["raw"]), orderId)) ||
      results.some((result) => result["orderId"] === orderId && refusalCodes.includes(Number(result["resultCode"]))),
    get resultCount() {
      return new Set(results.map(({ orderId, operation }) => `${orderId} ${operation}`)).size;
    },
    resultsOf: ({ orderId, operation }) => {
      const other = operation === "sale" ? "sell_refund" : "sell";
      return results.filter((result) => result["orderId"] === orderId && result["operation"] !== other);
    },
    resultsOfJob: (orderId) => results.filter((result) => result["orderId"] === orderId),
    close: served.close,
  };
  return site;
}

/** The same for all repeats of one message. */
export function messageIdOf(request: IncomingMessage): string {
  return String(request.headers["webhook-id"]);
}

/** Codes of print results: the order cannot be read, or its content cannot be printed. */
const refusalCodes: readonly number[] = [1, 3];

/** The order's own letters in a raw answer are ASCII, whatever the encoding of the rest. */
function nameOrder(raw: string, orderId: string): boolean {
  return raw.includes(`"orderId":"${orderId}"`);
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString("utf8");
}
