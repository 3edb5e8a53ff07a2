import { hasScope } from '../../access/actor.ts'
import type { Viewer } from '../../accounts/users/shown-contact.ts'
import { assert } from '../../errors.ts'
import type { FileUrls } from '../../file-urls.ts'
import type { FieldKeyType, TableSchema } from '../../schemas/table-schema.ts'
import type { ReadTx } from '../../store.ts'
import type { Turns } from '../../use-case.ts'
import { jsonBytes } from '../../values/json/json-bytes.ts'
import type { StoredRecord } from '../stored/stored-record.ts'
import {
  type AnswerBound,
  areWithin,
  countWithin,
  mostAnswered,
  tooLongToAnswer,
} from './answer-size.ts'
import { type MakeOutputs, type Outputs, outputsOf, type RecordOutput } from './record-output.ts'

/**
 * Records as the caller who wrote them sees them, in the same order: without the right to read records, that
 * they are there, and none of their cells. Fails where several take more than one answer may, whoever is told of
 * them.
 */
export async function toWrittenOutputs(
  context: Writer,
  written: Written,
  fieldKeyType: FieldKeyType,
): Promise<RecordOutput[]> {
  return (await writtenOutputs(context, written, fieldKeyType))(context.tx)
}

/** A single record as the caller who wrote it sees it, with its version. */
export async function toWrittenOutput(
  context: Writer,
  written: Written,
  fieldKeyType: FieldKeyType,
): Promise<VersionedOutput> {
  return (await new WrittenAnswer(context, fieldKeyType).ofOne(written))(context.tx)
}

type VersionedOutput = RecordOutput & { readonly version: number }

/**
 * Prepares what the caller who wrote the records is answered, to be made later: what that needs beside the records is read
 * now, and how long they are is known.
 */
export function writtenOutputs(
  context: Writer,
  written: Written,
  fieldKeyType: FieldKeyType,
): Promise<MakeOutputs> {
  return new WrittenAnswer(context, fieldKeyType).of(written)
}

/** What a write answers of its records, as far as possible found out before it stores them: others wait for it from then on. */
export class WrittenAnswer {
  readonly #context: Writer
  readonly #fieldKeyType: FieldKeyType
  #expected: (Written & { readonly shown: Outputs; readonly isShort: boolean }) | undefined

  constructor(context: Writer, fieldKeyType: FieldKeyType) {
    this.#context = context
    this.#fieldKeyType = fieldKeyType
  }

  /** Takes the records as they are about to be stored: but for their numbers, most are answered like that. */
  async expect(schema: TableSchema, records: readonly StoredRecord[]): Promise<void> {
    const shown = await this.#outputsOf({ schema, records })
    const isShort = await isSurelyAnswerable(this.#context, records, shown)
    this.#expected = { schema, records, shown, isShort }
  }

  /** Whether the answer can be made of what was expected: nothing else is read for it, and it isn't too long. */
  get isReady(): boolean {
    return this.#expected?.isShort ?? false
  }

  /** How the output of the single record is made that was written, with its version. */
  async ofOne(written: Written): Promise<(turns: Turns) => Promise<VersionedOutput>> {
    const make = await this.of(written)
    const [record] = written.records
    return async (turns) => {
      const [output] = await make(turns)
      assert(output && record, 'one record is answered as one')
      return { ...output, version: record.version }
    }
  }

  /** How the outputs of the records are made that were written. Fails where they are longer than the call may answer. */
  async of(written: Written): Promise<MakeOutputs> {
    const { records } = written
    const { shown, isShort } = this.#expectedOf(written) ?? {
      shown: await this.#outputsOf(written),
      isShort: false,
    }
    if (!isShort) await requireAnswerable(this.#context, records, shown)
    if (hasScope(this.#context.actor, 'record|read')) return (turns) => shown.make(turns, records)
    return async (turns) => {
      const outputs = await shown.make(turns, records)
      const hidden = { fields: {}, createdBy: '', lastModifiedBy: '' }
      return outputs.map(({ name: _, ...output }) => ({ ...output, ...hidden }))
    }
  }

  /** What was found out of the records before, unless they are not as they were expected. */
  #expectedOf({ schema, records }: Written) {
    const expected = this.#expected
    if (expected?.schema !== schema || expected.records.length !== records.length) return undefined
    const isSame = records.every(({ cells }, index) => cells === expected.records[index]?.cells)
    return isSame ? expected : undefined
  }

  #outputsOf({ schema, records }: Written): Promise<Outputs> {
    const { tx, actor, publicUrl, fileUrls } = this.#context
    const shape = { fieldKeyType: this.#fieldKeyType, cellFormat: 'json' } as const
    return outputsOf(tx, schema, records, { ...shape, actor, publicUrl, fileUrls })
  }
}

/** Nobody can change fewer than one. */
function isAnsweredAnyway({ answerLength }: Writer, records: readonly StoredRecord[]): boolean {
  return records.length === 1 && answerLength === undefined
}

/** Whether that is quickly seen, as it nearly always is. */
async function isSurelyAnswerable(
  context: Writer,
  records: readonly StoredRecord[],
  { mostBytesOf }: Outputs,
): Promise<boolean> {
  if (isAnsweredAnyway(context, records)) return true
  return areWithin(context.tx, records, mostAnswered(context), mostBytesOf)
}

/** Fails where the outputs of several records are longer than the call may answer; none of them is kept. */
async function requireAnswerable(
  context: Writer,
  records: readonly StoredRecord[],
  { toOutput, mostBytesOf }: Outputs,
): Promise<void> {
  if (isAnsweredAnyway(context, records)) return
  const count = await countWithin(context.tx, records, mostAnswered(context), {
    most: mostBytesOf,
    exact: (record) => jsonBytes(toOutput(record)),
  })
  if (count < records.length) throw tooLongToAnswer(context)
}

interface Writer extends AnswerBound, Viewer {
  readonly tx: ReadTx
  readonly fileUrls?: FileUrls
}

interface Written {
  readonly schema: TableSchema
  readonly records: readonly StoredRecord[]
}
