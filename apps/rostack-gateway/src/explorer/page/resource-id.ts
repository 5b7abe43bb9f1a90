/** The id of a resource's part of the page, for links to it. */
export const resourceId = (name: string): string => `resource-${name}`;
