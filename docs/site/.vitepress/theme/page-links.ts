import { useData, withBase } from 'vitepress';
import { defineComponent, h } from 'vue';

const TEXTS = {
  en: { markdown: 'This page as Markdown', source: 'Its source on GitHub', translation: '한국어로 보기' },
  ko: { markdown: '마크다운으로 보기', source: 'GitHub에서 원문 보기', translation: 'Read in English' },
};

/** Links at the end of a page: to its Markdown, its source, and its translation if there is one. */
export const PageLinks = defineComponent(() => {
  const { page, frontmatter, lang } = useData();
  return () => {
    const texts = lang.value === 'ko' ? TEXTS.ko : TEXTS.en;
    const { source, translation } = frontmatter.value as { source?: string; translation?: string };
    return h('nav', { class: 'page-links' }, [
      h('a', { href: withBase(`/${page.value.relativePath}`), target: '_self' }, texts.markdown),
      source === undefined ? undefined : h('a', { href: source }, texts.source),
      translation === undefined ? undefined : h('a', { href: withBase(translation) }, texts.translation),
    ]);
  };
});
