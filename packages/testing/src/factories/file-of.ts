import type { FileSource } from '@gateleg/domain/attachments/files/file-source'

/** The file whose bytes are the text; scripts that failed show it as that. */
export function fileOf(name: string, text: string): FileSource & { readonly toJSON: () => object } {
  return { name, stream: () => piecesOf(text), toJSON: () => ({ name, text }) }
}

async function* piecesOf(text: string): AsyncIterable<Uint8Array> {
  yield new TextEncoder().encode(text)
}
