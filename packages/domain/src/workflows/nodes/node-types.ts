import { z } from 'zod'
import { assert, invalidAt } from '../../errors.ts'
import { parseAt } from '../../input/parse-input.ts'
import { actionTypes } from './action-types.ts'
import type { FlowNode } from './flow-node.ts'
import { controlTypes, logicTypes } from './logic-types.ts'
import type { NodeType } from './node-type.ts'
import { triggerTypes } from './trigger-types.ts'

type Config = FlowNode['config']

const typesByCategory: Readonly<Record<FlowNode['category'], Readonly<Record<string, NodeType>>>> =
  { trigger: triggerTypes, action: actionTypes, logic: logicTypes, control: controlTypes }

/** Whether there are nodes of the kind. */
export function isNodeType({ category, type }: Pick<FlowNode, 'category' | 'type'>): boolean {
  return Object.hasOwn(typesByCategory[category], type)
}

/** The kind of the node. */
export function nodeTypeOf({ category, type }: Pick<FlowNode, 'category' | 'type'>): NodeType {
  const found = typesByCategory[category][type]
  assert(found, `there are nodes of the kind ${category} ${type}`)
  return found
}

const draftSchemas = new WeakMap<NodeType, z.ZodType>()

/**
 * A configuration as it is kept for a node of the kind while it is drafted: what it has must be right, and members may be
 * missing. Throws validation_error, with places that begin with the path.
 */
export function toDraftConfig(
  node: Pick<FlowNode, 'category' | 'type'>,
  sent: Config | undefined,
  path: readonly string[],
): Config {
  const type = nodeTypeOf(node)
  const schema = draftSchemas.get(type) ?? type.config.partial()
  draftSchemas.set(type, schema)
  const place = [...path, 'config']
  return asJson(parseAt(schema, sent ?? {}, place) as Config, place)
}

/** What is kept of the configuration: a program in process may send what no JSON has. */
function asJson(config: Config, path: readonly string[]): Config {
  try {
    return JSON.parse(JSON.stringify(config)) as Config
  } catch {
    throw invalidAt(path, 'must be JSON')
  }
}

/** The configurations of all kinds of the category, any member of which may be missing; for the documentation. */
export function draftConfigsOf(types: Readonly<Record<string, NodeType>>): z.ZodType {
  return z.union(Object.values(types).map(({ config }) => config.partial()))
}
