import { isLongOutput } from '@gateleg/domain/records/long-outputs'
import { lengthUpTo } from '@gateleg/domain/values/json-bytes'
import { itemsAtOnce, jsonPieces, levelsOfLongRecords } from '@gateleg/domain/values/json-pieces'

/** Characters from which on a part is set aside as bytes. */
const partLength = 256 * 1024

/** JSON of an answer: whole where it is small, else its bytes in parts. */
export type JsonBody = string | readonly Buffer[]

/**
 * The answer as JSON. One that is a list, or has one for its first member, as pages have, is put together
 * bit by bit, and so are a few records that are long: others have their turn in between, by `giveWay`, and no
 * text is longer than the engine can hold. `onBytes` hears how many bytes
 * are made so far.
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
