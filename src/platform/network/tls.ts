import { createPrivateKey, X509Certificate } from 'node:crypto';
import { statSync } from 'node:fs';
import { Failure } from '../failure.ts';
import { readText, unreadableReason } from '../files/read.ts';

/** The certificate chain and its private key for the listener, as PEM. */
export interface Tls {
  cert: string;
  key: string;
}

/**
 * Reads a certificate chain and its private key. @returns null when neither is configured
 * @throws Failure when one is missing, unreadable or not PEM, when other users have access to the key, or
 * when the two do not match
 */
export function readTls(certFile: string | null, keyFile: string | null): Tls | null {
  if (certFile === null && keyFile === null) return null;
  if (certFile === null || keyFile === null) {
    const missing = certFile === null ? 'tls_cert' : 'tls_key';
    throw new Failure(
      `https needs a certificate and its key: ${missing} is not set`,
      'set both tls_cert and tls_key, or neither',
      2,
    );
  }
  const tls = { cert: readPem(certFile), key: readPem(keyFile) };
  if ((statSync(keyFile).mode & 0o007) !== 0) {
    throw new Failure(`the TLS key ${keyFile} is accessible to other users`, `chmod o-rwx ${keyFile}`);
  }
  const certificate = parsed(certFile, () => new X509Certificate(tls.cert));
  const key = parsed(keyFile, () => createPrivateKey(tls.key));
  if (!certificate.checkPrivateKey(key)) {
    throw new Failure(
      `the TLS key ${keyFile} does not belong to ${certFile}`,
      'check the settings tls_cert and tls_key',
    );
  }
  return tls;
}

function readPem(file: string): string {
  try {
    return readText(file);
  } catch (error) {
    throw new Failure(
      `${file} cannot be read: ${unreadableReason(error)}`,
      'check the settings tls_cert and tls_key',
    );
  }
}

/** Parses a PEM file. Discards the parser's error, whose message could quote the file. @throws Failure */
function parsed<T>(file: string, parse: () => T): T {
  try {
    return parse();
  } catch {
    throw new Failure(`${file} has no valid PEM`, 'check the settings tls_cert and tls_key');
  }
}
