import { join } from 'node:path';

/** Makes a certificate for 127.0.0.1 and its key by openssl. @returns their files */
export function selfSigned(directory: string, name: string): { cert: string; key: string } {
  const [cert, key] = [join(directory, `${name}.crt`), join(directory, `${name}.key`)];
  const options = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'];
  const { exitCode, stderr } = Bun.spawnSync(
    ['openssl', 'req', '-x509', ...options, ...subject, '-keyout', key, '-out', cert],
    { stderr: 'pipe' },
  );
  if (exitCode !== 0) throw new Error(stderr.toString());
  return { cert, key };
}
