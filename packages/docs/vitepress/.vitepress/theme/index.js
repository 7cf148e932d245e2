import DefaultTheme from 'vitepress/theme';
import './listing.css';

export default DefaultTheme;
