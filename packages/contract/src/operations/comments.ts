import { del, type FeatureRoutes, get, patch, post } from '../operation.ts'

const ofRecord = '/comment/{tableId}/{recordId}'
const one = `${ofRecord}/{commentId}` as const
const example = { tableId: '{tableId}', recordId: '{recordId}', commentId: '{commentId}' }

export const commentRoutes: FeatureRoutes<'comments'> = {
  createComment: {
    ...post(`${ofRecord}/create`),
    isVersioned: true,
    purpose:
      'Adds a comment to a record: paragraphs of texts, links, and mentions of people with a role in the base.',
    example: {
      tableId: '{tableId}',
      recordId: '{recordId}',
      quoteId: '{commentId}',
      content: [
        {
          type: 'p',
          children: [
            { type: 'span', value: 'Ask ' },
            { type: 'mention', value: '{memberId}' },
            { type: 'span', value: ', or look into the ' },
            { type: 'a', url: 'https://library.example.com/books', title: 'catalogue' },
          ],
        },
      ],
    },
  },
  listComments: {
    ...get(`${ofRecord}/list`),
    purpose:
      'Lists the comments of a record, oldest first unless `direction` is `backward`; `nextCursor` leads to the next page.',
    example: { tableId: '{tableId}', recordId: '{recordId}', take: 10 },
  },
  countComments: {
    ...get(`${ofRecord}/count`),
    purpose: 'Counts the comments of a record.',
    example: { tableId: '{tableId}', recordId: '{recordId}' },
  },
  countCommentsOfList: {
    ...get('/comment/{tableId}/count'),
    purpose:
      'Counts the comments of each record that a list with the same parameters returns. Records without comments are left out.',
    example: { tableId: '{tableId}', take: 10 },
  },
  getComment: {
    ...get(one),
    isVersioned: true,
    purpose: 'Returns a comment of a record.',
    example,
  },
  updateComment: {
    ...patch(one),
    isVersioned: true,
    purpose: "Changes the text of a comment of the caller. Comments of others can't be changed.",
    example: {
      ...example,
      content: [{ type: 'p', children: [{ type: 'span', value: 'A first edition' }] }],
    },
  },
  deleteComment: {
    ...del(one),
    purpose:
      "Deletes a comment for good: one of the caller, or one of somebody else where the caller's role allows it.",
    example,
  },
  reactToComment: {
    ...post(`${one}/reaction`),
    purpose:
      'Adds a reaction of the caller, an emoji, to a comment. Adding it again changes nothing.',
    example: { ...example, reaction: '👍' },
  },
  takeReactionBack: {
    ...del(`${one}/reaction`, { isInBody: true }),
    purpose: 'Removes a reaction of the caller, an emoji, from a comment.',
    example: { ...example, reaction: '👍' },
  },
}
