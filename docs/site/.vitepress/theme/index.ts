import DefaultTheme from 'vitepress/theme-without-fonts';
import { h } from 'vue';
import { PageLinks } from './page-links.ts';
import './style.css';

export default {
  extends: DefaultTheme,
  Layout: () => h(DefaultTheme.Layout, null, { 'doc-footer-before': () => h(PageLinks) }),
};
