/** Records that are put into JSON by one call, which no one can interrupt. */
const itemsAtOnce = 8

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
  const [before, after] = around(value, list)
  const parts: Buffer[] = []
  let text = before
  for (let start = 0; start < list.length; start += itemsAtOnce) {
    const items = JSON.stringify(list.slice(start, start + itemsAtOnce))
    text += `${start === 0 ? '' : ','}${items.slice(1, -1)}`
    if (text.length >= partLength) {
      parts.push(Buffer.from(text))
      text = ''
    }
    await giveWay()
  }
  text += after
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

/** What stands before and after the items of the list in the JSON of the value. */
function around(value: unknown, list: readonly unknown[]): [before: string, after: string] {
  if (value === list) return ['[', ']']
  const [[name, first] = ['', undefined], ...others] = Object.entries(value as object)
  const rest = JSON.stringify(Object.fromEntries(others))
  const end = rest === '{}' ? '}' : `,${rest.slice(1)}`
  return first === list ? [`{${JSON.stringify(name)}:[`, `]${end}`] : ['', '']
}
