import { invalidAt } from '../errors.ts'
import { limits } from '../limits.ts'

/** Items of a list that are looked at before other calls may run. */
const itemsAtOnce = 1_000

/**
 * Refuses an input with values that are nested so deep that code which goes through them would overflow the stack: of a program,
 * since bodies of requests are refused before. Values that contain themselves are among them.
 */
export async function requireShallow(input: unknown, giveWay: () => Promise<void>): Promise<void> {
  for (const [name, member] of membersOf(input)) {
    const isList = Array.isArray(member)
    const items: readonly unknown[] = isList ? member : [member]
    for (const [index, item] of items.entries()) {
      if (isDeeper(item, limits.inputDepth - 2)) {
        const path = isList ? [name, index] : [name]
        throw invalidAt(path, `must be nested at most ${limits.inputDepth} levels deep`)
      }
      if (index % itemsAtOnce === itemsAtOnce - 1) await giveWay()
    }
  }
}

function membersOf(input: unknown): readonly (readonly [string, unknown])[] {
  return isPlain(input) ? Object.entries(input) : []
}

/** Whether lists and objects are nested in the value on more levels than so many. */
function isDeeper(value: unknown, levels: number): boolean {
  const isList = Array.isArray(value)
  if (!isList && !isPlain(value)) return false
  if (levels === 0) return true
  if (isList) return value.some((item) => isDeeper(item, levels - 1))
  for (const name in value) if (isDeeper(value[name], levels - 1)) return true
  return false
}

/** Whether it is an object of nothing but members: streams and files say themselves what is in them. */
function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
