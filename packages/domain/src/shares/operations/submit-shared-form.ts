import { z } from 'zod'
import { unknownSenderId } from '../../access/actor.ts'
import { DomainError, type Issue, invalid } from '../../errors.ts'
import { fieldKeyType, fieldValuesSchema } from '../../records/input/record-input.ts'
import { sendForm } from '../../records/operations/send-form.ts'
import { outputsOf } from '../../records/showing/record-output.ts'
import type { FieldKeyType, TableSchema } from '../../schemas/table-schema.ts'
import { defineWrite } from '../../use-case.ts'
import { shownSchema } from '../../views/shown-schema.ts'
import { requireOffered } from '../require-offered.ts'
import { onSharedForm } from '../share-guard.ts'
import { shareId } from '../share-query.ts'
import { sharedRecordOutput, toSharedRecord } from '../shared-record.ts'

/**
 * Creates a record of what a visitor filled into a form that is shared. Whose it is, is nobody's, unless the form asks
 * visitors to sign in.
 */
export const submitSharedForm = defineWrite({
  summary: 'Submit a shared form',
  input: z.object({
    shareId,
    fields: fieldValuesSchema.describe('What was filled in'),
    fieldKeyType: fieldKeyType.default('id'),
    typecast: z
      .literal(false, 'must be left out: a shared form takes values only as they are')
      .optional()
      .describe('Left out: names and addresses of people could be tried out by it'),
  }),
  output: sharedRecordOutput,
  access: onSharedForm('share'),
  run: async (context, { fields, fieldKeyType }) => {
    const { tx, actor, publicUrl, sender, table, view, only } = context
    const by = { actor: sender ?? actor, userId: sender?.userId ?? unknownSenderId }
    const sent = { fields, fieldKeyType, typecast: false }
    const form = shownSchema(await tx.fields.schemaOf(table), { ...only, includesHidden: false })
    requireNoPresses(form, sent)
    await requireOffered(context, form, sent, fieldKeyType)
    const written = await sendForm({ ...context, ...by }, view, sent).catch((error: unknown) => {
      throw withoutHidden(error, form, fieldKeyType)
    })
    const shape = { fieldKeyType, cellFormat: 'json', actor, publicUrl } as const
    const { make } = await outputsOf(tx, written.schema, written.records, shape)
    const [record] = await make(tx)
    return toSharedRecord(record as NonNullable<typeof record>)
  },
})

/** Buttons are pressed by those who may change the record: a form has no place to fill in how often. */
function requireNoPresses(
  { byKey }: TableSchema,
  { fields, fieldKeyType }: { readonly fields: object; readonly fieldKeyType: FieldKeyType },
): void {
  const issues = Object.entries(fields).flatMap(([key, value]): Issue[] => {
    const isButton = byKey[fieldKeyType].get(key)?.field.type === 'button'
    const message = 'must be left out: a button is pressed, not filled in'
    return isButton && value !== null ? [{ path: ['fields', key], message }] : []
  })
  if (issues.length > 0) throw invalid(issues)
}

/** The refusal without a word of fields that the form doesn't show: one may be required, or its default be taken. */
function withoutHidden(error: unknown, { byKey }: TableSchema, keyType: FieldKeyType): unknown {
  const issues = error instanceof DomainError ? error.data?.issues : undefined
  if (!issues) return error
  const isOfForm = ({ path: [member, key] }: Issue) =>
    member === 'fields' && (key === undefined || byKey[keyType].has(String(key)))
  const shown = issues.filter(isOfForm)
  if ((error as DomainError).code !== 'validation_error' || shown.length === issues.length) {
    return error
  }
  return invalid(shown.length > 0 ? shown : [notAllowed])
}

const notAllowed: Issue = {
  path: ['fields'],
  message:
    'must make a record that the table accepts: it requires values that the form does not ask for',
}
