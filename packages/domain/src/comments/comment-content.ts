import { z } from 'zod'
import { idSchema } from '../ids.ts'
import { limits } from '../limits.ts'
import { storableTextUpTo } from '../values/storable-text.ts'

const text = storableTextUpTo(limits.commentLength)

/** Links that a browser opens and does not run. */
const url = storableTextUpTo(limits.fileUrlLength).refine(
  (text) => /^(https?:\/\/|mailto:)\S+$/i.test(text),
  'must begin with http://, https:// or mailto:',
)

const part = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('span').describe('Text'),
    value: text.describe('What it says'),
  }),
  z.object({
    type: z.literal('mention').describe('Somebody who is meant'),
    value: idSchema.describe('The id of a user with a role in the base'),
  }),
  z.object({
    type: z.literal('a').describe('A link'),
    url: url.describe('Where it leads'),
    title: text.optional().describe('What it says'),
  }),
])

const block = z.object({
  type: z
    .literal('p', 'must be "p": a comment has paragraphs, and pictures are not available yet')
    .describe('A paragraph'),
  children: z
    .array(part)
    .max(limits.commentParts)
    .describe('Its texts, links, and the people it names'),
})

/** A part of what a comment says, as it is stored: users by their ids. */
export type CommentBlock = z.output<typeof block>

/** What a comment says: something that can be seen, and no more than a person reads. */
export const contentSchema = z
  .array(block)
  .min(1)
  .max(limits.commentBlocks)
  .superRefine((blocks, { addIssue }) => {
    const parts = partsOf(blocks)
    const length = parts.reduce((sum, part) => sum + lengthOf(part), 0)
    if (parts.length > limits.commentParts) {
      addIssue(`must have at most ${limits.commentParts} texts, links and mentions`)
    }
    if (length > limits.commentLength) {
      addIssue(`must have at most ${limits.commentLength} characters in all`)
    }
    if (!parts.some(isSeen)) addIssue('must say something')
  })

/** What a comment says as it is answered. */
export const contentOutput = z.array(block.meta({ id: 'CommentBlock' }))

/** The users whom it names, each once. */
export function mentionsIn(content: readonly CommentBlock[]): ReadonlySet<string> {
  return new Set(partsOf(content).flatMap((part) => (part.type === 'mention' ? [part.value] : [])))
}

type Part = z.output<typeof part>

function partsOf(content: readonly CommentBlock[]): readonly Part[] {
  return content.flatMap(({ children }) => children)
}

function lengthOf(part: Part): number {
  return part.type === 'a' ? part.url.length + (part.title?.length ?? 0) : part.value.length
}

function isSeen(part: Part): boolean {
  return part.type !== 'span' || part.value.trim() !== ''
}
