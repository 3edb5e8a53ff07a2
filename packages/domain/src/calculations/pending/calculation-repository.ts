import type { Field } from '../../fields/field.ts'
import type { NumberRange } from '../../records/stored/number-range.ts'

/** A field whose cells are being computed in the background. */
export interface PendingField {
  readonly fieldId: string
  readonly tableId: string
  /** Records up to this number are done. */
  readonly after: number
  /** Records up to this number are to be done; later ones are computed when they are made. */
  readonly until: number
}

/** A pending field whose values are those of the field that it was, in another form, or of one that it copies. */
export interface PendingConversion {
  readonly fieldId: string
  /**
   * The field as it was, its column being one that no field has any more; or the field that is copied, which has an
   * id of its own.
   */
  readonly source: Field
  /** Who converted or copied it. */
  readonly userId: string
  /** Whether the values stay in the column of the source. */
  readonly keepsSource?: boolean
  /** Under which id it is noted what the cells become; see KeptValues. */
  readonly noteId?: string
  /**
   * The field as it was before it became what it is until now, its column being a kept one: records up to the number get its
   * values back.
   */
  readonly kept?: { readonly id: string; readonly field: Field; readonly until: number }
}

/** Reads which fields are pending, and how far the background is. */
export interface CalculationReader {
  /** The pending fields of the tables, by field id. */
  listOf(tableIds: readonly string[]): Promise<readonly PendingField[]>
  /** The fields of the table whose values are being converted, by field id. */
  conversionsOf(tableId: string): Promise<readonly PendingConversion[]>
}

/** Remembers which fields are being computed, and how far. */
export interface CalculationRepository extends CalculationReader {
  /** Has the fields computed so far; those that are under way go back to where this begins. */
  schedule(fields: readonly PendingField[]): Promise<void>
  /** Notes how far the fields are, and how far they have to go. */
  advance(
    fieldIds: readonly string[],
    progress: Pick<PendingField, 'after' | 'until'>,
  ): Promise<void>
  /** Has a field converted, from the first record on up to the one with the number. */
  scheduleConversion(conversion: PendingConversion, until: number): Promise<void>
  /** Notes that somebody wrote cells of fields that are being converted: what they wrote stays. */
  noteWritten(fieldIds: readonly string[], numbers: readonly number[]): Promise<void>
  /** The numbers of the records in the range whose cell in the field was noted as written. */
  written(fieldId: string, range: NumberRange): Promise<ReadonlySet<number>>
  /** Forgets fields: they are done, or gone. */
  remove(fieldIds: readonly string[]): Promise<void>
}
