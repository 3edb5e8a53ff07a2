/** A cell that changed: its field, and what it held before and after, as it is stored. */
export type ChangedCell = readonly [fieldId: string, before: unknown, after: unknown]

/** A cell that isn't empty: its field, and what it holds. */
export type FilledCell = readonly [fieldId: string, cell: unknown]

/** A link that a cell lost: of which field and record, to which record, and its place among the links of that. */
export type LostLink = readonly [
  fieldId: string,
  recordId: string,
  foreignId: string,
  place: number,
]

/** What is noted of one record. */
export interface RecordPart<Item> {
  readonly id: string
  readonly cells: readonly Item[]
}

/** Where the base of the table lay. */
interface PlacedStep {
  /** The space of the base when the step was left: the files that it keeps were that space's. Absent in steps of earlier versions. */
  readonly spaceId?: string
}

/** Names of choices, as they were when a step was noted. */
interface NamingStep {
  /** The choices that it names; absent where it names none. */
  readonly choices?: readonly NamedChoice[]
}

/** A choice of a field, and what it was called. */
export type NamedChoice = readonly [fieldId: string, name: string, choiceId: string]

/** Cells of records that changed. */
export interface CellsStep extends PlacedStep, NamingStep {
  readonly kind: 'cells'
  readonly records: readonly RecordPart<ChangedCell>[]
  /** Links that went when it was done, or undone: where they had been at the other end. */
  readonly links?: readonly LostLink[]
}

/** Records that were made, with all that callers had written into them by then. */
export interface CreationStep extends NamingStep {
  readonly kind: 'creation'
  readonly records: readonly RecordPart<FilledCell>[]
  /** The entry of the trash in which they lie since they were taken back; absent while they don't. */
  readonly entryId?: string
}

/** What a table has that goes to its trash. */
export type TrashedKind = 'record' | 'field' | 'view'

/** Things of a table that a command moved to the trash, or that it made or brought back from there. */
export interface TrashStep {
  readonly kind: 'deletion' | 'addition'
  readonly of: TrashedKind
  readonly ids: readonly string[]
  /** The entry of the trash in which they lie; absent while they don't. */
  readonly entryId?: string
  /** A digest of what they held when they were left; absent while they lie in the trash. */
  readonly digest?: string
  /** A digest that includes what records held in fields that lay in the trash; absent where there were none. */
  readonly digestWithTrash?: string
  /** Where it is noted what the background made of the cells of a field, which are none of the digest then; see KeptValues. */
  readonly noteId?: string
  /** Other fields that are as they are because fields went there. */
  readonly readers?: readonly ReaderState[]
}

/** Settings of a view that changed: their members as they were, and as they became. */
export interface ViewStep extends NamingStep {
  readonly kind: 'view'
  readonly viewId: string
  readonly before: Readonly<Record<string, unknown>>
  readonly after: Readonly<Record<string, unknown>>
}

/** A record that was moved in a row order: the place that it left, and the one that it was given. */
export type MovedRow = readonly [recordId: string, before: number, after: number]

/** Records that were moved in the row order of a view. */
export interface RowsStep {
  readonly kind: 'rows'
  readonly viewId: string
  readonly orderId: string
  /** Whether the view had no row order before. */
  readonly isFirst: boolean
  /** Which places the row order has: once records get others to make room, these mean nothing any more. */
  readonly renumberedVersion: number
  readonly rows: readonly MovedRow[]
  /** Records around that got other places to make room: their numbers, and which places the row order has without that. */
  readonly others?: readonly (readonly [autoNumber: number, before: number, after: number])[]
  readonly otherVersion?: number
}

/** A field that was renamed or described: the members that changed, as they were, and as they became. */
export interface FieldStep {
  readonly kind: 'field'
  readonly fieldId: string
  readonly before: Readonly<Record<string, unknown>>
  readonly after: Readonly<Record<string, unknown>>
}

/** What the cells of a column held that weren't empty, of records up to a number. */
export interface KeptColumn {
  readonly cells: readonly (readonly [recordId: string, cell: unknown])[]
  readonly until: number
}

/** A column that keeps what its field held, of records up to a number; see KeptValues. */
export interface ColumnAside {
  readonly keptId: string
  readonly until: number
}

/** Links that are kept beside the step; see KeptValues. */
export interface LinksAside {
  readonly keptId: string
}

/** The links of one record in their order: to which records, and at which place among the links of each. */
export type KeptLinks = readonly [
  recordId: string,
  links: readonly (readonly [foreignId: string, place: number])[],
]

/** A field that follows from a converted one: what it said of itself before, and a digest of what it says since. */
export interface ReaderState {
  readonly tableId: string
  readonly fieldId: string
  readonly said: Readonly<Record<string, unknown>>
  readonly since: string
}

/** A field that was converted. */
export interface ConversionStep extends PlacedStep, NamingStep {
  readonly kind: 'conversion'
  readonly fieldId: string
  /** What it is by now, and what it is to become when the step is undone, or done again. */
  readonly held: Readonly<Record<string, unknown>>
  readonly other: Readonly<Record<string, unknown>>
  /** What its cells are to hold then; absent where they hold the same, and for a link. */
  readonly column?: KeptColumn | ColumnAside
  /** Which links its records are to have then, where it is to be another link than now. */
  readonly links?: readonly KeptLinks[] | LinksAside
  /** Fields that are another by what became of it, and can't be computed from what they are now. */
  readonly readers?: readonly ReaderState[]
  /** Whether the digest is of its cells, too: else they stay, whatever is written into them. */
  readonly readsCells: boolean
  /** A digest of the field when it was left. */
  readonly digest: string
  /** Where it is noted what the background made of its cells, which are none of the digest then; see KeptValues. */
  readonly noteId?: string
}

/** Something that has no inverse, or one that is too long to be kept. */
export interface FinalStep {
  readonly kind: 'final'
  /** Why it can't be undone, in a sentence for people. */
  readonly reason: string
}

/** A part of what a call did, with all that it takes to undo it and to do it again. */
export type UndoStep =
  | CellsStep
  | CreationStep
  | TrashStep
  | ViewStep
  | RowsStep
  | FieldStep
  | ConversionStep
  | FinalStep

/** The step as one that is left while the base of its table lies in the space. */
export function leftIn(step: UndoStep, spaceId: string): UndoStep {
  return step.kind === 'cells' || step.kind === 'conversion' ? { ...step, spaceId } : step
}
