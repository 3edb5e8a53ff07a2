import { createHash } from 'node:crypto'

/** A form in which a secret could be written, and its bytes. */
export interface SecretForm {
  readonly name: string
  readonly bytes: Buffer
  /** Whether it is a digest, which tells a secret to whoever can guess it. */
  readonly isDigest: boolean
}

/** Characters of a form in which nothing else would be found. */
const lengthMin = 8

/** All forms of a secret that are told from other bytes: as it is, and as programs write what they are given. */
export function formsOf(secret: string): readonly SecretForm[] {
  const bytes = Buffer.from(secret)
  const json = JSON.stringify(secret).slice(1, -1)
  const url = encodeURIComponent(secret)
  const texts: [string, string][] = [
    ['plain', secret],
    ['JSON', json],
    ['JSON in JSON', JSON.stringify(json).slice(1, -1)],
    ['URL', url],
    ['URL in a URL', encodeURIComponent(url)],
    ['form', String(new URLSearchParams({ a: secret })).slice(2)],
    ['HTML', secret.replace(/[&<>"']/g, (one) => `&#${one.charCodeAt(0)};`)],
    ['hex', bytes.toString('hex')],
    ['HEX', bytes.toString('hex').toUpperCase()],
    ['reversed', [...secret].reverse().join('')],
    ...(['md5', 'sha1', 'sha256'] as const).flatMap((name): [string, string][] => [
      [name, createHash(name).update(secret).digest('hex')],
      [`${name} in base64`, createHash(name).update(secret).digest('base64').replace(/=+$/, '')],
    ]),
    ...[0, 1, 2].flatMap((offset): [string, string][] => {
      const text = base64At(bytes, offset)
      const urlText = text.replaceAll('+', '-').replaceAll('/', '_')
      return [
        ['base64', text],
        ['base64url', urlText],
      ]
    }),
  ]
  const seen = new Set<string>()
  return texts.flatMap(([name, text]) => {
    if (text.length < lengthMin || seen.has(text)) return []
    seen.add(text)
    return [{ name, bytes: Buffer.from(text), isDigest: /^(md5|sha)/.test(name) }]
  })
}

/** What base64 of a longer text shows of the bytes when so many others, of three, stand before them. */
function base64At(bytes: Buffer, offset: number): string {
  const text = Buffer.concat([Buffer.alloc(offset), bytes])
    .toString('base64')
    .replace(/=+$/, '')
  const whole = (offset + bytes.length) % 3 === 0 ? text : text.slice(0, -1)
  return whole.slice(offset === 0 ? 0 : offset + 1)
}
