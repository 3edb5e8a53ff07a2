import type { Secrets } from '../secrets.ts'

/** What was said of a file before it came, beside its size, which is kept. */
interface FilePromise {
  /** The media type with which it is to be sent. */
  readonly contentType: string
  /** SHA-256 of its bytes, in lower-case hexadecimal; absent where nothing was said of them. */
  readonly digest?: string | undefined
}

/** Letters of a token that are random, and those that are signed: 128 bits each. */
const halfLength = 32

/** A token for a file that is to come: what was said of it is signed in it, so that nothing else needs to be kept. */
export function toUploadToken(secrets: Pick<Secrets, 'token' | 'sign'>, said: FilePromise): string {
  const random = secrets.token().slice(-halfLength)
  return random + signatureOf(secrets, random, said)
}

/** Whether this was said when the token was given out. */
export function wasSaid(
  secrets: Pick<Secrets, 'equal' | 'sign'>,
  token: string,
  said: FilePromise,
): boolean {
  const expected = signatureOf(secrets, token.slice(0, halfLength), said)
  return secrets.equal(token.slice(halfLength), expected)
}

function signatureOf(
  secrets: Pick<Secrets, 'sign'>,
  random: string,
  { contentType, digest = '' }: FilePromise,
): string {
  const said = ['upload', random, contentType.trim().toLowerCase(), digest]
  return secrets.sign(JSON.stringify(said)).slice(0, halfLength)
}
