import { z } from 'zod'
import { aiConfigSchema } from '../../fields/ai-config.ts'
import { fieldTypeNames } from '../../fields/field-type-name.ts'
import { filterSchema } from '../../fields/filter.ts'
import { lookupOptionsInput } from '../../fields/lookup-options.ts'
import { fieldNameSchema } from '../../fields/operations/definition/field-definition.ts'
import { idSchema } from '../../ids.ts'
import { limits } from '../../limits.ts'
import { groupSchema } from '../../queries/sort.ts'
import { dbTableNameSchema } from '../../tables/db-table-name.ts'
import { searchIndexChoices } from '../../tables/table.ts'
import { trashedTypes } from '../../trash/trash-entry.ts'
import { descriptionSchema, iconSchema, nameSchema } from '../../values/names.ts'
import { sentObject } from '../../values/sent-object.ts'
import { storableTextUpTo, textUpTo } from '../../values/storable-text.ts'
import { cellValueTypes } from '../../values/value-type.ts'
import { viewSortSchema } from '../../views/view.ts'
import { viewTypes } from '../../views/view-type.ts'
import { nodeCategories } from '../../workflows/nodes/flow-node.ts'

/**
 * The newest form of archives that this version reads. Those of version 4 don't say of tables whether their index of searches is on;
 * those of version 3 have the records of a trash alone, without their order; those of version 1 don't say the ids of the base and of
 * nodes, and have no history.
 */
export const archiveVersion = 5

/** The oldest form that can tell what an archive holds, so that whoever reads no newer ones reads it. */
export function versionFor(holds: {
  readonly trash: boolean
  readonly searchIndexes: boolean
}): number {
  if (holds.searchIndexes) return archiveVersion
  return holds.trash ? 4 : 2
}

/** An id of a kind, as every id of the product looks. */
function idOf(prefix: string) {
  const rule = `must be "${prefix}" followed by 16 letters or digits`
  return textUpTo(limits.idLength, rule).regex(new RegExp(`^${prefix}[0-9a-zA-Z]{16}$`), rule)
}

const timestampRule = 'must be a moment such as 2026-01-31T12:00:00.000Z'

/** A moment, in the one form in which it is stored. */
export const timestampSchema = textUpTo(24, timestampRule).refine(isTimestamp, timestampRule)

function isTimestamp(text: string): boolean {
  const ms = Date.parse(text)
  return !Number.isNaN(ms) && new Date(ms).toISOString() === text
}

const columnRule = 'must be at most 63 letters, digits or "_", and begin with a letter'
const columnName = textUpTo(limits.dbFieldNameLength, columnRule)

const made = { createdBy: idSchema, createdTime: timestampSchema }
/** The entry of the trash that it lies in. */
const inTrash = { deletion: idOf('opr').optional() }
const inTree = {
  name: nameSchema,
  folder: idOf('bnf').nullable(),
  /** Its place in the tree. */
  node: idOf('bno').optional(),
}

/** The first line: what the file is, and what the base is called. */
export const headerSchema = z.strictObject({
  gateleg: z.literal('base'),
  version: z.int().min(1),
  id: idOf('bse').optional(),
  name: nameSchema,
  icon: iconSchema.nullable(),
})

const folder = z.strictObject({ id: idOf('bnf'), ...inTree })
const dashboard = z.strictObject({ id: idOf('dsh'), ...inTree, ...made, ...inTrash })

const nodeRule = 'must be three lower-case letters followed by 16 letters or digits'
const nodeId = textUpTo(limits.idLength, nodeRule).regex(/^[a-z]{3}[0-9A-Za-z]{16}$/, nodeRule)

/** A step of what people edit of a workflow, or what sets it off. */
const flowNode = z.strictObject({
  id: nodeId,
  category: z.enum(nodeCategories),
  type: idSchema,
  name: nameSchema.nullable(),
  description: descriptionSchema,
  config: sentObject(limits.nodeConfigMembers),
  parentNodeId: idSchema.nullable(),
})

const workflow = z.strictObject({
  id: idOf('wfl'),
  ...inTree,
  ...made,
  description: descriptionSchema,
  nodes: z.array(flowNode).max(limits.nodesPerWorkflow),
  ...inTrash,
})

const table = z.strictObject({
  id: idOf('tbl'),
  ...inTree,
  dbTableName: dbTableNameSchema,
  description: descriptionSchema,
  icon: iconSchema.nullable(),
  /** What people chose of its index of searches. */
  searchIndex: z.enum(searchIndexChoices).optional(),
  ...made,
  lastModifiedTime: timestampSchema,
  ...inTrash,
})

const field = z.strictObject({
  id: idOf('fld'),
  table: idOf('tbl'),
  name: fieldNameSchema,
  type: z.enum(fieldTypeNames),
  description: descriptionSchema,
  options: sentObject(limits.fieldOptions),
  isPrimary: z.boolean().optional(),
  unique: z.boolean().optional(),
  notNull: z.boolean().optional(),
  aiConfig: aiConfigSchema.optional(),
  isLookup: z.boolean().optional(),
  lookupOptions: lookupOptionsInput.optional(),
  dbFieldName: columnName.regex(/^[A-Za-z0-9_]+$/, columnRule),
  columnName: columnName.regex(/^[A-Za-z0-9_]+$/, columnRule).nullable(),
  /** What values it had last, where it has an error, or it or its table lies in the trash. */
  result: z
    .strictObject({ cellValueType: z.enum(cellValueTypes), isMultiple: z.boolean() })
    .optional(),
  ...made,
  ...inTrash,
})

const view = z.strictObject({
  id: idOf('viw'),
  table: idOf('tbl'),
  name: nameSchema,
  type: z.enum(viewTypes).exclude(['plugin']),
  description: descriptionSchema,
  options: sentObject(limits.fieldOptions),
  filter: filterSchema.nullable(),
  sort: viewSortSchema.nullable(),
  group: groupSchema.nullable(),
  columnMeta: sentObject(limits.columnsPerTable),
  isLocked: z.boolean(),
  ...made,
  lastModifiedBy: idSchema.nullable(),
  lastModifiedTime: timestampSchema.nullable(),
  ...inTrash,
})

/** What archives tell of a trash: all but whole bases and spaces. */
const trashTypes = trashedTypes.filter((type) => type !== 'base' && type !== 'space')

/**
 * What one call deleted. That of a table names it; all name what was deleted, in its order. Of the records of each table they
 * count from 0: the lists of those records begin with the number. Archives of version 3 say no more than which table, when and
 * by whom, of records alone.
 */
const trash = z.strictObject({
  id: idOf('opr').optional(),
  type: z.enum(trashTypes).optional(),
  table: idOf('tbl').optional(),
  ids: z.array(idSchema).min(1).max(limits.recordsPerDelete).optional(),
  deletedTime: timestampSchema,
  deletedBy: idSchema,
})

/** A file of cells; its bytes are in the lines that follow. */
const file = z.strictObject({
  token: storableTextUpTo(limits.shortTextLength).min(1),
  name: storableTextUpTo(limits.shortTextLength).min(1),
  mimetype: storableTextUpTo(limits.shortTextLength),
  size: z.int().min(0),
})

/** Lines that say what follows, or what there is in the base, by their one member. */
export const lineSchemas = {
  folder,
  dashboard,
  workflow,
  table,
  field,
  view,
  file,
  trash,
  /** The records of a table follow, each a list, which `receive-records.ts` reads. */
  records: z.strictObject({
    table: idOf('tbl'),
    fields: z.array(idOf('fld')).max(limits.columnsPerTable),
  }),
  /** Cells of a deleted field follow for which their records had no room, each a list: the number of a record, its cell. */
  cells: z.strictObject({ field: idOf('fld') }),
  /** The links of a field follow, each a list: a record, then those that it is linked to. */
  links: z.strictObject({ field: idOf('fld') }),
  /** The order of the rows of a view follows: lists of the numbers of records. */
  order: z.strictObject({ view: idOf('viw') }),
  /** What people changed in records of a table follows, the newest first, each a list, which `receive-history.ts` reads. */
  history: z.strictObject({ table: idOf('tbl') }),
  /** The last line: how many came before it, and SHA-256 of these. */
  end: z.strictObject({ lines: z.int(), sha256: z.string() }),
} as const

/** What a line of an archive can be of. */
export type LineKind = keyof typeof lineSchemas

type Content = { readonly [Kind in LineKind]: z.output<(typeof lineSchemas)[Kind]> }

/** What lines say of each kind of thing. */
export type Archived<Kind extends LineKind> = Content[Kind]

/** A line with one member, or one of what follows those. */
export type ArchiveItem =
  | { readonly [Kind in LineKind]: { readonly kind: Kind; readonly said: Content[Kind] } }[LineKind]
  | { readonly kind: 'list'; readonly said: readonly unknown[] }
  | { readonly kind: 'bytes'; readonly said: string }
