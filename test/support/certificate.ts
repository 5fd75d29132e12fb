import { isIP } from 'node:net';
import { join } from 'node:path';

/** Makes a certificate, for 127.0.0.1 or a host's name, and its key by openssl. @returns their files */
export function selfSigned(
  directory: string,
  name: string,
  host = '127.0.0.1',
): { cert: string; key: string } {
  const [cert, key] = [join(directory, `${name}.crt`), join(directory, `${name}.key`)];
  const options = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  const kind = isIP(host) === 0 ? 'DNS' : 'IP';
  const subject = ['-subj', `/CN=${host}`, '-addext', `subjectAltName=${kind}:${host}`];
  const { exitCode, stderr } = Bun.spawnSync(
    ['openssl', 'req', '-x509', ...options, ...subject, '-keyout', key, '-out', cert],
    { stderr: 'pipe' },
  );
  if (exitCode !== 0) throw new Error(stderr.toString());
  return { cert, key };
}
