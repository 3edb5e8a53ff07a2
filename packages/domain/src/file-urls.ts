import type { Secrets } from './secrets.ts'
import type { Settings } from './settings.ts'

/** The place of a file: the item of a cell, and the path of its bytes. Ids consist of letters and digits only. */
export interface FilePlace {
  readonly tableId: string
  readonly recordId: string
  readonly fieldId: string
  readonly itemId: string
  readonly path: string
}

/** A file that was uploaded and that no cell has: its token, and the path of its bytes. */
export interface UploadedPlace {
  readonly token: string
  readonly path: string
}

/** The user to whom a file was shown, and the access token of the call, if there was one. */
export interface FileReader {
  readonly userId: string
  readonly tokenId?: string
}

/** Letters of a signature: 128 bits. */
const signatureLength = 32

/**
 * Makes the URLs by which files are read, without another credential: each is good for one file in one place, for
 * whoever was shown it, and for a time. Calls within half of that time make the same URL, which browsers
 * keep the file by.
 */
export class FileUrls {
  /** The types of images that have thumbnails. */
  readonly thumbnailTypes: ReadonlySet<string>
  readonly #secrets: Pick<Secrets, 'sign'>
  readonly #prefix: string
  readonly #suffix: string

  /** Takes the time in milliseconds since 1970-01-01 UTC. */
  constructor(
    {
      secrets,
      settings,
      thumbnails,
    }: {
      readonly secrets: Pick<Secrets, 'sign'>
      readonly settings: Pick<Settings, 'attachmentUrlSeconds' | 'publicUrl'>
      readonly thumbnails: { readonly types: ReadonlySet<string> }
    },
    { userId, tokenId = '' }: FileReader,
    nowMs: number,
  ) {
    this.thumbnailTypes = thumbnails.types
    this.#secrets = secrets
    this.#prefix = `${settings.publicUrl ?? ''}/api/attachments/read/`
    const halfMs = (settings.attachmentUrlSeconds * 1_000) / 2
    const expiresMs = Math.floor((Math.floor(nowMs / halfMs) + 2) * halfMs)
    this.#suffix = `${userId}.${tokenId}.${expiresMs.toString(36)}`
  }

  /** The URL of the file; absolute where the service knows its own, else a path. */
  urlOf({ tableId, recordId, fieldId, itemId, path }: FilePlace): string {
    return this.#sign(path, `${tableId}.${recordId}.${fieldId}.${itemId}`)
  }

  /** The URL of an uploaded file that no cell has yet, by its token. */
  urlOfUpload({ token, path }: UploadedPlace): string {
    return this.#sign(path, `...${token}`)
  }

  #sign(path: string, place: string): string {
    const said = `${place}.${this.#suffix}`
    return `${this.#prefix}${path}?token=${said}.${signatureOf(this.#secrets, path, said)}`
  }
}

/** The content of the token in a URL; undefined when this instance didn't make the token for the path. */
export function readFileToken(
  secrets: Pick<Secrets, 'sign' | 'equal'>,
  path: string,
  token: string,
): (FilePlace & FileReader & { readonly expiresMs: number }) | undefined {
  const end = token.lastIndexOf('.')
  const said = token.slice(0, Math.max(0, end))
  if (!secrets.equal(token.slice(end + 1), signatureOf(secrets, path, said))) return undefined
  const [tableId = '', recordId = '', fieldId = '', itemId = '', userId = '', tokenId, expires] =
    said.split('.')
  const place = { tableId, recordId, fieldId, itemId, path }
  const expiresMs = Number.parseInt(expires ?? '', 36)
  return { ...place, userId, ...(tokenId && { tokenId }), expiresMs }
}

function signatureOf(secrets: Pick<Secrets, 'sign'>, path: string, said: string): string {
  return secrets.sign(JSON.stringify(['file', path, said])).slice(0, signatureLength)
}
