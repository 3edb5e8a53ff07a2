import { itemsAtOnce, jsonPieces } from '@gateleg/domain/values/json-pieces'

/** Characters from which on a part is set aside as bytes. */
const partLength = 256 * 1024

/** JSON of an answer: whole where it is small, else its bytes in parts. */
export type JsonBody = string | readonly Buffer[]

/**
 * The answer as JSON. One that is a list, or has one for its first member, as pages have, is put together
 * bit by bit: others have their turn in between, by `giveWay`, and no text is longer than the engine can hold.
 */
export async function toJson(value: unknown, giveWay: () => Promise<unknown>): Promise<JsonBody> {
  const list = Array.isArray(value) ? value : firstListOf(value)
  // Nothing at all has no JSON.
  if (!list || list.length <= itemsAtOnce) return JSON.stringify(value) ?? ''
  const parts: Buffer[] = []
  let text = ''
  for (const piece of jsonPieces(value)) {
    text += piece
    if (text.length >= partLength) {
      parts.push(Buffer.from(text))
      text = ''
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
