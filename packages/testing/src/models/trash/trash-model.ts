/** What lies in the trash of a table by itself. */
export type ThingKind = 'record' | 'field' | 'view'

/** A record, a field or a view of the table; which it is, and what it is called. */
interface Thing {
  readonly kind: ThingKind
  readonly id: string
}

/** What one call deleted. */
export interface ModelTrashEntry {
  readonly kind: ThingKind
  readonly ids: readonly string[]
}

/** What a call did in the window: it deleted things, or restored them. */
interface Command {
  readonly of: ThingKind
  readonly ids: readonly string[]
  readonly isDeletion: boolean
  /** Where they lie, if they do; else what they held when the command left them there. */
  entry?: ModelTrashEntry | undefined
  held?: readonly string[]
}

/** How undo and redo end. */
type UndoStatus = 'fulfilled' | 'failed' | 'empty'

/**
 * What is to be of a table whose records, fields and views are deleted, restored and purged, some of it in a window where
 * that is undone and redone. Cells are those of the fields that come and go.
 */
export class TrashModel {
  /** What lives, in its order. */
  readonly living: Readonly<Record<ThingKind, Set<string>>>
  /** The trash, newest first. */
  entries: readonly ModelTrashEntry[] = []
  /** Cells by record, then by field; empty ones are left out. */
  readonly cells: Map<string, Map<string, number>>
  readonly #order: readonly string[]
  readonly #done: Command[] = []
  #undone: Command[] = []

  /** Takes all things, in their order, none of which is deleted, and the cells. */
  constructor(things: readonly Thing[], cells: TrashModel['cells']) {
    const idsOf = (kind: ThingKind) =>
      new Set(things.filter((thing) => thing.kind === kind).map(({ id }) => id))
    this.living = { record: idsOf('record'), field: idsOf('field'), view: idsOf('view') }
    this.cells = cells
    this.#order = things.map(({ id }) => id)
  }

  /** The ids of what lives of a kind, in their order. */
  livingOf(kind: ThingKind): readonly string[] {
    return this.#order.filter((id) => this.living[kind].has(id))
  }

  /** A call deletes things, in the window or elsewhere. */
  delete(of: ThingKind, ids: readonly string[], isInWindow: boolean): void {
    const command: Command = { of, ids, isDeletion: true }
    this.#takeAway(command)
    if (isInWindow) this.#note(command)
  }

  /** A call restores an entry, in the window or elsewhere. */
  restore(entry: ModelTrashEntry, isInWindow: boolean): void {
    const { kind: of, ids } = entry
    const command: Command = { of, ids, isDeletion: false, entry }
    this.#bringBack(command)
    if (isInWindow) this.#note(command)
  }

  /** Entries go for good. */
  purge(entries: readonly ModelTrashEntry[]): void {
    this.entries = this.entries.filter((entry) => !entries.includes(entry))
  }

  /** Undoes the last command of the window, or redoes the one that was undone last. */
  step(direction: 'undo' | 'redo'): UndoStatus {
    const [from, to] =
      direction === 'undo' ? [this.#done, this.#undone] : [this.#undone, this.#done]
    const command = from.pop()
    if (!command) return 'empty'
    const isBroughtBack = command.isDeletion === (direction === 'undo')
    if (isBroughtBack) {
      if (!command.entry || !this.entries.includes(command.entry)) return 'failed'
      this.#bringBack(command)
    } else {
      const held = this.#heldBy(command)
      if (!command.held?.some((one) => held.includes(one))) return 'failed'
      this.#takeAway(command)
    }
    to.push(command)
    return 'fulfilled'
  }

  #note(command: Command): void {
    this.#done.push(command)
    this.#undone = []
  }

  #takeAway(command: Command): void {
    const { of: kind, ids } = command
    for (const id of ids) this.living[kind].delete(id)
    command.entry = { kind, ids }
    this.entries = [command.entry, ...this.entries]
  }

  #bringBack(command: Command): void {
    this.entries = this.entries.filter((entry) => entry !== command.entry)
    for (const id of command.ids) this.living[command.of].add(id)
    command.entry = undefined
    command.held = this.#heldBy(command)
  }

  /**
   * What callers wrote into those of the things that live, as may be told: cells of deleted records and fields are none, or those
   * of fields in the trash are, of which nothing was taken.
   */
  #heldBy({ of, ids }: Command): readonly string[] {
    const known = ids.filter((id) => this.living[of].has(id)).toSorted()
    if (of === 'view') return [JSON.stringify(known)]
    const cells = [...this.cells].flatMap(([recordId, ofRecord]) =>
      [...ofRecord].map(([fieldId, value]) => ({ recordId, fieldId, value })),
    )
    const ofFields = (fieldIds: ReadonlySet<string>) => {
      const held = cells.filter(
        ({ recordId, fieldId }) =>
          this.living.record.has(recordId) &&
          fieldIds.has(fieldId) &&
          known.includes(of === 'record' ? recordId : fieldId),
      )
      return JSON.stringify([known, held])
    }
    const inTrash = this.entries.flatMap(({ kind, ids }) => (kind === 'field' ? ids : []))
    const living = ofFields(this.living.field)
    if (of === 'field' || inTrash.length === 0) return [living]
    return [living, ofFields(this.living.field.union(new Set(inTrash)))]
  }
}
