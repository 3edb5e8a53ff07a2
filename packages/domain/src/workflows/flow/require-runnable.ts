import { type Issue, invalid, invalidAt } from '../../errors.ts'
import { type Filter, fieldsNamedIn } from '../../fields/filter.ts'
import { parseInput } from '../../input/parse-input.ts'
import { limits } from '../../limits.ts'
import type { SortItem } from '../../queries/sort.ts'
import type { ReadTx } from '../../store.ts'
import type { Table } from '../../tables/table.ts'
import type { FlowNode } from '../nodes/flow-node.ts'
import { nodeTypeOf } from '../nodes/node-types.ts'

/**
 * Refuses to activate what couldn't run: without a trigger, where something is missing that the type of a node takes, or
 * where a node names a table, field or view that isn't there. Throws validation_error with the first things that are wrong.
 */
export async function requireRunnable(
  tx: ReadTx,
  baseId: string,
  nodes: readonly FlowNode[],
): Promise<void> {
  if (nodes[0]?.category !== 'trigger') {
    throw invalidAt(['method'], 'the workflow has no trigger: set one before it is activated')
  }
  const base = new NamedInBase(tx, baseId)
  const issues: Issue[] = []
  for (const [index, node] of nodes.entries()) {
    const path = ['nodes', index, 'config']
    const about = (issue: Issue): Issue => ({
      path: [...path, ...issue.path],
      message: `${issue.message} (in the node "${node.id}" of the type ${node.type})`,
    })
    const parsed = parseInput(nodeTypeOf(node).config, node.config)
    const found = 'issues' in parsed ? parsed.issues : await base.missingFrom(node)
    issues.push(...found.map(about))
    if (issues.length >= limits.issuesNamed) break
    await tx.giveWay()
  }
  if (issues.length > 0) throw invalid(issues.slice(0, limits.issuesNamed))
}

/** What nodes may name of the base, read once for all of them. */
class NamedInBase {
  readonly #tx: ReadTx
  readonly #baseId: string
  #tables: ReadonlyMap<string, Table> | undefined
  readonly #fields = new Map<string, ReadonlyMap<string, string>>()
  readonly #views = new Map<string, ReadonlyMap<string, string>>()

  constructor(tx: ReadTx, baseId: string) {
    this.#tx = tx
    this.#baseId = baseId
  }

  /** What the node names that isn't there, or is of another kind than it must be. */
  async missingFrom(node: FlowNode): Promise<readonly Issue[]> {
    const { tableId, viewId, fieldId, watchFieldIds = [] } = node.config as Named
    if (tableId === undefined) return []
    const table = (await this.#tablesOfBase()).get(tableId)
    if (!table) return [{ path: ['tableId'], message: 'must be a table of this base' }]
    const { viewType, fieldType } = nodeTypeOf(node)
    const issues: Issue[] = []
    const refuse = (path: Issue['path'], message: string) => void issues.push({ path, message })
    if (viewId !== undefined) {
      const type = (await this.#viewsOf(tableId)).get(viewId)
      if (type === undefined || (viewType && type !== viewType)) {
        refuse(['viewId'], `must be a ${viewType ? `${viewType} ` : ''}view of the table`)
      }
    }
    const fields = await this.#fieldsOf(table)
    if (fieldId !== undefined) {
      const type = fields.get(fieldId)
      if (type === undefined || (fieldType && type !== fieldType)) {
        refuse(['fieldId'], `must be a ${fieldType ? `${fieldType} ` : ''}field of the table`)
      }
    }
    for (const [index, id] of watchFieldIds.entries()) {
      if (!fields.has(id)) refuse(['watchFieldIds', index], 'must be a field of the table')
    }
    for (const [member, id] of fieldsIn(node.config as Named)) {
      if (fields.has(id)) continue
      refuse([member], `names "${id.slice(0, limits.idLength)}", which is no field of the table`)
    }
    return issues
  }

  async #tablesOfBase(): Promise<ReadonlyMap<string, Table>> {
    if (this.#tables) return this.#tables
    const tables = await this.#tx.tables.listOf(this.#baseId)
    this.#tables = new Map(tables.map((table) => [table.id, table]))
    return this.#tables
  }

  async #viewsOf(tableId: string): Promise<ReadonlyMap<string, string>> {
    const views =
      this.#views.get(tableId) ??
      new Map((await this.#tx.views.listOf(tableId)).map(({ id, type }) => [id, type]))
    this.#views.set(tableId, views)
    return views
  }

  async #fieldsOf(table: Table): Promise<ReadonlyMap<string, string>> {
    const known = this.#fields.get(table.id)
    if (known) return known
    const schema = await this.#tx.fields.schemaOf(table)
    const fields = new Map(schema.fields.map(({ field }) => [field.id, field.type]))
    this.#fields.set(table.id, fields)
    return fields
  }
}

/** What configurations name, by the names that it has in all of them. */
interface Named {
  readonly tableId?: string
  readonly viewId?: string
  readonly fieldId?: string
  readonly watchFieldIds?: readonly string[]
  readonly filter?: Filter
  readonly sort?: readonly SortItem[]
  readonly fields?: Readonly<Record<string, unknown>>
}

/** The fields that are named in members which name many, with those. */
function fieldsIn({
  filter,
  sort = [],
  fields = {},
}: Named): readonly (readonly [string, string])[] {
  return [
    ...[...(filter ? fieldsNamedIn(filter) : [])].map((id) => ['filter', id] as const),
    ...sort.map(({ fieldId }) => ['sort', fieldId] as const),
    ...Object.keys(fields).map((id) => ['fields', id] as const),
  ]
}
