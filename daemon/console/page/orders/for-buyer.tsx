import { useState } from "preact/hooks";
import type { OrderStory } from "../../order-views.js";
import { Steps } from "../confirm.js";
import { Sentence } from "../text.js";
import { language, words } from "../words.js";

interface ForBuyerProps {
  readonly row: OrderStory["row"];
  readonly forBuyer: NonNullable<OrderStory["forBuyer"]>;
}

export function ForBuyer({ row: { job, order }, forBuyer: { link, noCopy } }: ForBuyerProps) {
  const question = words.askCopy({ order });
  const copy = { name: words.actionNames.copy, question, path: `/api/jobs/${job}/copy`, isOptional: true };
  return (
    <section aria-labelledby="buyer">
      <h3 id="buyer">{words.forBuyer}</h3>
      <div class="buyer">
        <img src={`/api/jobs/${job}/qr.svg`} alt={link === null ? words.codeOfNumbers : words.codeOfLink} />
        <div>
          {link === null ? (
            <p>
              <Sentence text={words.noLink} />
            </p>
          ) : (
            <>
              <p>{words.showCode}</p>
              <p>
                <a href={link} target="_blank" rel="noreferrer">
                  {link}
                </a>
              </p>
            </>
          )}
          <Steps steps={noCopy === null ? [copy] : []}>{link === null ? null : <CopyLink link={link} />}</Steps>
          {noCopy === null ? null : <p class="names">{noCopy[language]}</p>}
        </div>
      </div>
    </section>
  );
}

function CopyLink({ link }: { readonly link: string }) {
  const [said, setSaid] = useState("");
  const copy = () =>
    navigator.clipboard.writeText(link).then(
      () => setSaid(words.linkCopied),
      () => setSaid(words.linkNotCopied),
    );
  return (
    <>
      <button type="button" onClick={() => void copy()}>
        {words.copyLink}
      </button>
      <span role="status">{said}</span>
    </>
  );
}
