import { type FeatureRoutes, get, post } from '../operation.ts'

const share = '/share/{shareId}/view'
const ofShare = { shareId: '{shareId}' }

export const shareRoutes: FeatureRoutes<'shares'> = {
  getSharedView: {
    ...get(share),
    purpose:
      'Returns what a page needs to show a share: the view, the fields that are shown, and the first records. Fields are named by their ids.',
    example: ofShare,
  },
  proveSharePassword: {
    ...post(`${share}/auth`, 201, { cookie: 'proves' }),
    purpose:
      'Opens a share with its password: returns a token, and sets it as a cookie. Programs without cookies send it in the header `X-Share-Token`. The token works for a day, unless the password changes or the share ends before.',
    example: { shareId: '{lockedShareId}', password: 'open sesame' },
  },
  listSharedRecords: {
    ...get(`${share}/records`, { answersRecords: true }),
    purpose:
      "Lists the records that a share shows and a filter lets through, page by page. Fields that are not shown are treated as if they didn't exist.",
    example: {
      ...ofShare,
      take: 2,
      filter: {
        conjunction: 'and',
        filterSet: [{ fieldId: 'Pages', operator: 'isGreater', value: 100 }],
      },
      orderBy: [{ fieldId: 'Title', order: 'asc' }],
    },
  },
  countSharedRecords: {
    ...get(`${share}/row-count`),
    purpose: 'Counts the records that a share shows and a filter lets through.',
    example: ofShare,
  },
  aggregateSharedRecords: {
    ...get(`${share}/aggregations`),
    purpose: 'Computes statistics, such as a sum, over the cells that a share shows.',
    example: { ...ofShare, field: { sum: ['Pages'] } },
  },
  copySharedCells: {
    ...get(`${share}/copy`, { answersRecords: true }),
    purpose:
      'Copies ranges of a share: returns their cells as the text that spreadsheets put on the clipboard, where the share allows that.',
    example: {
      ...ofShare,
      ranges: [
        [0, 0],
        [1, 0],
      ],
    },
  },
  getSharedGroupPoints: {
    ...get(`${share}/group-points`),
    purpose:
      'Groups the records that a share shows by fields that it shows, and counts the records of each group.',
    example: { ...ofShare, groupBy: [{ fieldId: 'Title', order: 'asc' }] },
  },
  countSharedHits: {
    ...get(`${share}/search-count`),
    purpose: 'Counts the cells of a share in which a search finds its text.',
    example: { ...ofShare, search: ['mm'] },
  },
  findSharedHits: {
    ...get(`${share}/search-index`),
    purpose:
      'Lists the cells of a share in which a search finds its text, each with the position of its record.',
    example: { ...ofShare, search: ['mm'], take: 10 },
  },
  getSharedCalendarDays: {
    ...get(`${share}/calendar-daily-collection`),
    purpose: 'Counts the records that a share shows on each day of a calendar, and shows some.',
    example: {
      shareId: '{calendarShareId}',
      startDate: '1775-12-01',
      endDate: '1775-12-31',
      startDateFieldId: '{dateFieldId}',
      endDateFieldId: '{dateFieldId}',
    },
  },
  submitSharedForm: {
    ...post(`${share}/form-submit`),
    purpose:
      'Adds a record from a form that a visitor of a share submitted, and returns what the form shows of it. Who submitted it is not stored unless the form asks visitors to sign in.',
    example: { shareId: '{formShareId}', fields: { '{titleFieldId}': 'Persuasion' } },
  },
  listSharedLinkRecords: {
    ...get(`${share}/link-records`),
    purpose:
      'Lists the records that visitors may link to in a shared form; for any other shared view, lists the records to which its cells link.',
    example: { shareId: '{formShareId}', fieldId: '{linkFieldId}' },
  },
  listSharedCollaborators: {
    ...get(`${share}/collaborators`),
    purpose:
      'Lists the people whom visitors may name in a shared form; for any other shared view, lists the people whom its cells name. Mail addresses are left out.',
    example: { shareId: '{formShareId}', fieldId: '{userFieldId}' },
  },
}
