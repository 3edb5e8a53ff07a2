/** The kinds of views. */
export const viewTypes = ['grid', 'kanban', 'gallery', 'calendar', 'form', 'plugin'] as const

/** The kind of a view. */
export type ViewType = (typeof viewTypes)[number]
