import fc from 'fast-check'
import { name, oddValue, ref } from '../scripts/arguments.ts'
import type { Ref } from '../scripts/script.ts'
import type { ScriptState } from '../scripts/script-state.ts'
import { type ScriptedFeature, scripted } from '../scripts/scripted-operation.ts'
import { remark } from '../worlds/place.ts'
import type { SamplesIn } from './operation-sample.ts'

const said = fc.record({
  text: name,
  mention: fc.option(ref, { nil: undefined, freq: 2 }),
  url: fc.constantFrom(undefined, undefined, 'https://a.example', 'javascript:x'),
  odd: fc.option(oddValue, { nil: undefined, freq: 20 }),
})

type Said = typeof said extends fc.Arbitrary<infer T> ? T : never

/** The blocks that the arguments stand for. */
function toContent({ text, mention, url, odd }: Said, { people }: ScriptState): readonly unknown[] {
  const children = [
    { type: 'span', value: text },
    ...(mention === undefined ? [] : [{ type: 'mention', value: people.idOf(mention) }]),
    ...(url === undefined ? [] : [{ type: 'a', url }]),
  ]
  return [{ type: 'p', children }, ...(odd === undefined ? [] : [odd])]
}

interface InTable {
  readonly table: Ref
  readonly record: Ref
}

function toRecord({ table, record }: InTable, { tables }: ScriptState) {
  const found = tables.find(table)
  return { tableId: found?.id ?? 'unknown', recordId: found?.records.idOf(record) ?? 'unknown' }
}

/** The comment that is meant, on its record. */
function toComment({ comment }: { readonly comment: Ref }, { comments }: ScriptState) {
  const { id = 'unknown', tableId = 'unknown', recordId = 'unknown' } = comments.find(comment) ?? {}
  return { tableId, recordId, commentId: id }
}

const inTable = { table: ref, record: ref }
const emoji = fc.constantFrom('👍', '👍', '🎉', '👩🏽‍🚀', 'x', '')
const reacting = {
  weight: 2,
  args: fc.record({ comment: ref, reaction: emoji }),
  toInput: ({ reaction, ...args }: { comment: Ref; reaction: string }, known: ScriptState) => ({
    ...toComment(args, known),
    reaction,
  }),
}

export const commentOperations: ScriptedFeature<'comments'> = {
  createComment: scripted({
    weight: 2,
    args: fc.record({ ...inTable, said, quote: fc.option(ref, { nil: undefined }) }),
    toInput: ({ said, quote, ...args }, known) => ({
      ...toRecord(args, known),
      content: toContent(said, known),
      ...(quote !== undefined && { quoteId: known.comments.idOf(quote) }),
    }),
    learn: ({ comments }, { id }: { readonly id: string }, { tableId, recordId }) =>
      comments.add({ id, tableId: String(tableId), recordId: String(recordId) }),
  }),
  listComments: scripted({
    weight: 1,
    args: fc.record({
      ...inTable,
      direction: fc.constantFrom('forward', 'backward', undefined),
      take: fc.constantFrom(1, 2, undefined),
      from: fc.option(ref, { nil: undefined }),
      includeCursor: fc.constantFrom(true, false, undefined),
    }),
    toInput: ({ direction, take, from, includeCursor, ...args }, known) => ({
      ...toRecord(args, known),
      ...(direction && { direction }),
      ...(take && { take }),
      ...(from !== undefined && { cursor: known.comments.idOf(from) }),
      ...(includeCursor !== undefined && { includeCursor }),
    }),
  }),
  countComments: scripted({ weight: 0.5, args: fc.record(inTable), toInput: toRecord }),
  countCommentsOfList: scripted({
    weight: 0.5,
    args: fc.record({ table: ref, take: fc.constantFrom(1, 100) }),
    toInput: ({ table, take }, { tables }) => ({ tableId: tables.idOf(table), take }),
  }),
  getComment: scripted({ weight: 0.7, args: fc.record({ comment: ref }), toInput: toComment }),
  updateComment: scripted({
    // The caller has to have written it.
    weight: 3,
    args: fc.record({ comment: ref, said }),
    toInput: ({ said, ...args }, known) => ({
      ...toComment(args, known),
      content: toContent(said, known),
    }),
  }),
  deleteComment: scripted({
    weight: 0.7,
    args: fc.record({ comment: ref }),
    toInput: toComment,
    learn: ({ comments }, _answer, { commentId }) => comments.drop(String(commentId)),
  }),
  reactToComment: scripted(reacting),
  takeReactionBack: scripted(reacting),
}

export const commentSamples: SamplesIn<'comments'> = (place, { byRole }) => {
  const { tableId, recordId, commentId } = place
  const record = { tableId, recordId }
  const one = { ...record, commentId }
  const reaction = '🎉'
  return {
    createComment: { input: { ...record, content: remark } },
    listComments: { input: record },
    countComments: { input: record },
    countCommentsOfList: { input: { tableId } },
    getComment: { input: one },
    updateComment: {
      input: { ...one, content: remark },
      ownOf: (userId) => {
        const roles = ['owner', 'creator', 'editor', 'commenter'] as const
        const role = roles.find((one) => byRole[one].userId === userId)
        return role ? { commentId: place[`${role}CommentId`] } : {}
      },
    },
    deleteComment: { input: one },
    reactToComment: { input: { ...one, reaction } },
    takeReactionBack: { input: { ...one, reaction } },
  }
}
