import type { Timestamp } from '../clock.ts'
import type { FormulaValue } from '../formulas/formula-type.ts'
import type { CellForm } from './cell-form.ts'

/**
 * The stored value of a cell that isn't empty; an empty cell is null, and the functions below never get it. Users are held
 * by id, choices by name, dates as a Timestamp, links and attachments as objects.
 */
export type Cell =
  | string
  | number
  | boolean
  | readonly unknown[]
  | { readonly [key: string]: unknown }

/** Why a value can't be a cell of a field; the message says what would be right. */
export class Refusal {
  readonly message: string
  constructor(message: string) {
    this.message = message
  }
}

/** Looks up the users that cells may hold. Only those that the present work needs are loaded. */
export interface People {
  /** The display name of a user, undefined for one who is unknown. */
  name(userId: string): string | undefined
  /** What else the caller may see of a user; absent where values aren't shown to anybody. */
  details?(userId: string): { readonly email?: string; readonly avatarUrl?: string }
  /** The id of the collaborator whose id, e-mail address or name the text is. */
  find(text: string): string | undefined
}

/** For cells that hold no users, or only their names as text. */
export const nobody: People = { name: () => undefined, find: () => undefined }

/** Looks up the records that a link cell may hold. Only those that the present work needs are loaded. */
export interface LinkTargets {
  /** Whether a record of the linked table has the id. */
  has(recordId: string): boolean
  /** The id of the first record of the linked table whose title is the text. */
  find(title: string): string | undefined
}

/** What lenient reading (`typecast`) may use to interpret a value. */
export interface CastContext {
  readonly people: People
  /** The time of the call, where a caller may mean that by `now`. */
  readonly now?: Timestamp
  /** Absent where no linked table is at hand: then texts name no records. */
  readonly targets?: LinkTargets
  /** The present value of the cell, when a record is changed. */
  readonly held?: Cell | null
}

/** What default values may depend on. */
export interface DefaultContext {
  readonly now: Timestamp
  /** The user who creates the record; undefined when unknown. */
  readonly userId: string | undefined
  /** The users that a default may hold; absent where it may hold every user that the field names. */
  readonly people?: People
}

/**
 * The rules for the cells of one field: made once from the field's options, then used for every
 * record. All functions are pure and never throw on any JSON value.
 */
export interface CellRules<C extends Cell = Cell> {
  /** What the cells hold, for filters and sorts. */
  readonly form: CellForm
  /**
   * Strict reading of a JSON value that a caller sent: the cell, null for an empty one, or a Refusal.
   * A value that was answered earlier (`toJson`) is always accepted and gives the same cell.
   */
  parse(value: unknown): C | null | Refusal
  /** Lenient reading: the nearest cell, null where the value has no natural reading. */
  cast(value: unknown, context: CastContext): C | null
  /** The text form, as in `cellFormat: text`. */
  format(cell: C, people: People): string
  /** What links show of the cell as the title of its record; absent when that is the text form. */
  title?(cell: C, people: People): string
  /** The JSON form, as in `cellFormat: json`; absent when the cell itself is it. */
  toJson?(cell: C, people: People): unknown
  /** Orders two cells, smaller first; total and consistent. */
  compare(a: C, b: C, people: People): number
  /** The cell of a new record when the caller names none; absent when the field has no default. */
  defaultCell?(context: DefaultContext): C | null
  /** The ids of the users that the cell names; absent when cells of the type never do. */
  userIds?(cell: C): readonly string[]
  /**
   * The cell as formulas see it: people, links and files as their titles, nothing of what has no value
   * there; absent when the cell itself is it.
   */
  toFormula?(cell: C, people: People): FormulaValue
}

/** What links show of the cell as the title of its record. */
export function titleOfCell(rules: CellRules, cell: Cell, people: People): string {
  return rules.title ? rules.title(cell, people) : rules.format(cell, people)
}
