/** A field whose cells are being worked out in the background. */
export interface PendingField {
  readonly fieldId: string
  readonly tableId: string
  /** Records up to this number are done. */
  readonly after: number
  /** Records up to this number are to be done; later ones are worked out when they are made. */
  readonly until: number
}

export interface CalculationReader {
  /** The pending fields of the tables, by field id. */
  listOf(tableIds: readonly string[]): Promise<readonly PendingField[]>
}

/** Remembers which fields are being worked out, and how far. */
export interface CalculationRepository extends CalculationReader {
  /** Has the fields worked out so far; those that are under way go back to where this begins. */
  schedule(fields: readonly PendingField[]): Promise<void>
  /** Notes how far the fields are, and how far they have to go. */
  advance(
    fieldIds: readonly string[],
    progress: Pick<PendingField, 'after' | 'until'>,
  ): Promise<void>
  /** Forgets fields: they are done, or gone. */
  remove(fieldIds: readonly string[]): Promise<void>
}
