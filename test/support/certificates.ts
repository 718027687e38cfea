import { execFileSync, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";

export const hasOpenssl = spawnSync("openssl", ["version"]).status === 0;

/** Paths of PEM files. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

export function selfSigned(folder: string, name: string): Certificate {
  const { cert, key } = paths(folder, name);
  openssl("req", "-x509", ...newKey(key), "-subj", `/CN=${name}`, "-days", "2", "-out", cert);
  return { cert, key };
}

/** A certificate for 127.0.0.1 that `authority` signs, for a server or a client. */
export function signedBy(authority: Certificate, folder: string, name: string): Certificate {
  const { cert, key } = paths(folder, name);
  const request = join(folder, `${name}.csr`);
  const extensions = join(folder, `${name}.ext`);
  openssl("req", "-new", ...newKey(key), "-subj", `/CN=${name}`, "-out", request);
  writeFileSync(extensions, "subjectAltName=IP:127.0.0.1,DNS:localhost\n");
  const by = ["-CA", authority.cert, "-CAkey", authority.key, "-CAcreateserial"];
  openssl("x509", "-req", "-in", request, ...by, "-days", "2", "-extfile", extensions, "-out", cert);
  return { cert, key };
}

const paths = (folder: string, name: string) => ({
  cert: join(folder, `${name}.pem`),
  key: join(folder, `${name}.key`),
});
const newKey = (key: string) => ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", key];

function openssl(...args: readonly string[]): void {
  execFileSync("openssl", args, { stdio: "ignore" });
}
