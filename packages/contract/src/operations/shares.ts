import { type FeatureRoutes, get, post } from '../operation.ts'

const share = '/share/{shareId}/view'
const ofShare = { shareId: '{shareId}' }

export const shareRoutes: FeatureRoutes<'shares'> = {
  getSharedView: {
    ...get(share),
    purpose:
      'Answers what a page needs that shows a share: its view, the fields that are shown, and the first records. Fields are named by their ids.',
    example: ofShare,
  },
  proveSharePassword: {
    ...post(`${share}/auth`, 201, { cookie: 'proves' }),
    purpose:
      'Answers a token to who gives the password of a share, and sets it as a cookie. Programs without cookies send it in the header `X-Share-Token`. It ends with the password, and with the share.',
    example: { shareId: '{lockedShareId}', password: 'open sesame' },
  },
  listSharedRecords: {
    ...get(`${share}/records`, { answersRecords: true }),
    purpose:
      'Lists the records that the view of a share shows, page by page, those that a filter lets through. The fields that are not shown are as though there were none.',
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
    purpose: 'Counts the records that the view of a share shows, those that a filter lets through.',
    example: ofShare,
  },
  aggregateSharedRecords: {
    ...get(`${share}/aggregations`),
    purpose: 'Works statistics out of the cells that a share shows.',
    example: { ...ofShare, field: { sum: ['Pages'] } },
  },
  copySharedCells: {
    ...get(`${share}/copy`, { answersRecords: true }),
    purpose:
      'Answers the cells of ranges of what a share shows, as the text that spreadsheets put on the clipboard, where the share allows that.',
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
      'Tells the groups of the records that a share shows, by fields that it shows, and how many records each has.',
    example: { ...ofShare, groupBy: [{ fieldId: 'Title', order: 'asc' }] },
  },
  countSharedHits: {
    ...get(`${share}/search-count`),
    purpose: 'Counts the cells that a share shows in which a search finds its text.',
    example: { ...ofShare, search: ['mm'] },
  },
  findSharedHits: {
    ...get(`${share}/search-index`),
    purpose:
      'Lists the cells that a share shows in which a search finds its text, each with the place of its record.',
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
      'Adds a record of what a visitor filled into a form that is shared, and answers what the form shows of it. Who sent it is not noted unless the form asks visitors to sign in.',
    example: { shareId: '{formShareId}', fields: { '{titleFieldId}': 'Persuasion' } },
  },
  listSharedLinkRecords: {
    ...get(`${share}/link-records`),
    purpose:
      'Lists the records that visitors may link to in a form that is shared; of another view those that shown cells link to.',
    example: { shareId: '{formShareId}', fieldId: '{linkFieldId}' },
  },
  listSharedCollaborators: {
    ...get(`${share}/collaborators`),
    purpose:
      'Lists the people whom visitors may name in a form that is shared, or whom shown cells of another view name, without addresses.',
    example: { shareId: '{formShareId}', fieldId: '{userFieldId}' },
  },
}
