import type { IncomingMessage } from 'node:http'

/** What a file is called whose answer and address have no name. */
const nameless = 'downloaded_file'

/** The name of a file: the one in the answer, else the last part of its path. */
export function nameOfAnswer({ headers }: Pick<IncomingMessage, 'headers'>, url: URL): string {
  const disposition = headers['content-disposition'] ?? ''
  const [, encoded] = /;\s*filename\*=utf-8'[^']*'([^;\s]+)/i.exec(disposition) ?? []
  const [, quoted, plain] =
    /;\s*filename=(?:"((?:[^"\\]|\\.)*)"|([^;\s]+))/i.exec(disposition) ?? []
  const last = url.pathname.split('/').at(-1) ?? ''
  const said = (encoded && decoded(encoded)) || quoted?.replace(/\\(.)/g, '$1') || plain
  return said || decoded(last) || nameless
}

/** The text; as it is where its escapes are none. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
