import { isLongOutput } from '@gateleg/domain/records/long-outputs'
import { lengthUpTo } from '@gateleg/domain/values/json-bytes'
import { itemsAtOnce, jsonPieces, levelsOfLongRecords } from '@gateleg/domain/values/json-pieces'

/** Characters from which on a part is set aside as bytes. */
const partLength = 256 * 1024

/** The JSON of an answer: one text where it is small, else its bytes in parts. */
export type JsonBody = string | readonly Buffer[]

/**
 * Writes the answer as JSON. An answer that is a list, or has one as its first member, as pages have, is put together
 * piece by piece, and so are a few long records: other work has its turn in between, by `giveWay`, and no text gets
 * longer than JavaScript allows. `onBytes` is called with the number of bytes so far.
 */
export async function toJson(
  value: unknown,
  giveWay: () => Promise<unknown>,
  onBytes?: (bytes: number) => void,
): Promise<JsonBody> {
  const list = Array.isArray(value) ? value : firstListOf(value)
  const areFew = !list || list.length <= itemsAtOnce
  // Nothing at all has no JSON.
  if (areFew && lengthUpTo(partLength, value) < partLength) return JSON.stringify(value) ?? ''
  const parts: Buffer[] = []
  let bytes = 0
  let text = ''
  for (const piece of jsonPieces(value, areFew ? levelsOfLongRecords : undefined, isLongOutput)) {
    text += piece
    if (text.length >= partLength) {
      const part = Buffer.from(text)
      parts.push(part)
      text = ''
      bytes += part.length
      onBytes?.(bytes)
    }
    await giveWay()
  }
  return parts.length === 0 ? text : [...parts, Buffer.from(text)]
}

function firstListOf(value: unknown): readonly unknown[] | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  for (const name in value) {
    const first = value[name as never] as unknown
    return Array.isArray(first) ? first : undefined
  }
  return undefined
}
