import { z } from 'zod'
import type { Issue } from '../errors.ts'
import { limits } from '../limits.ts'
import { appendAll } from '../structures/append-all.ts'
import { parseInput } from './parse-input.ts'

/** How many items of a list are checked before other calls may run. */
const itemsAtOnce = 100

/** A schema whose list is parsed a few items at a time: the list's items, and the rest with what holds for the list. */
interface ListSchema {
  readonly name: string
  readonly items: z.ZodArray
  readonly whole: z.ZodType
  readonly others: z.ZodType
}

/**
 * Like `parseInput`, but checks a long list in the input a few items at a time, lets other calls run in between, and
 * ends once there are as many issues as an error names.
 */
export async function parseInputInTurns(
  schema: z.ZodType,
  input: unknown,
  giveWay: () => Promise<void>,
): Promise<ReturnType<typeof parseInput>> {
  const list = listOf(schema, input)
  if (!list) return parseInput(schema, input)
  const { name, items, whole, others } = list
  const given = input as Record<string, unknown>
  const sent = given[name] as readonly unknown[]
  const data: unknown[] = []
  const issues: Issue[] = []
  for (
    let from = 0;
    from < sent.length && issues.length < limits.issuesNamed;
    from += itemsAtOnce
  ) {
    const group = parseInput(items, sent.slice(from, from + itemsAtOnce))
    if ('issues' in group) {
      for (const { path, message } of group.issues) {
        const [index, ...rest] = path
        issues.push({ path: [name, from + Number(index), ...rest], message })
      }
    } else appendAll(data, group.data)
    await giveWay()
  }
  if (issues.length === 0) return parseInput(whole, { ...given, [name]: data })
  const rest = parseInput(others, given)
  return { issues: 'issues' in rest ? [...rest.issues, ...issues] : issues }
}

const listSchemas = new WeakMap<z.ZodType, ListSchema | null>()

/** How to parse the long list of the input; undefined when it has none. */
function listOf(schema: z.ZodType, input: unknown): ListSchema | undefined {
  let list = listSchemas.get(schema)
  if (list === undefined) {
    list = toListSchema(schema) ?? null
    listSchemas.set(schema, list)
  }
  if (!list || typeof input !== 'object' || input === null) return undefined
  const items = (input as Record<string, unknown>)[list.name]
  return Array.isArray(items) && items.length > itemsAtOnce ? list : undefined
}

/** The schema of the first list in the input. A check of the whole input needs the whole input. */
function toListSchema(schema: z.ZodType): ListSchema | undefined {
  if (!(schema instanceof z.ZodObject) || schema.def.checks?.length) return undefined
  const shape = schema.shape as Record<string, z.ZodType>
  for (const [name, member] of Object.entries(shape)) {
    if (!(member instanceof z.ZodArray)) continue
    const checked = member.clone({ ...member.def, element: z.unknown() })
    return {
      name,
      items: z.array(member.element),
      whole: z.object({ ...shape, [name]: checked }),
      others: z.object({ ...shape, [name]: z.unknown() }),
    }
  }
  return undefined
}
